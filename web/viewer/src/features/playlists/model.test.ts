import { expect, describe as group, it } from 'vitest';
import {
  clock,
  countItems,
  describe,
  nextPage,
  pick,
  shareLink,
  shareOf,
  shown,
  startOf,
  withoutPinned,
} from './model.ts';

const list = (count: number, from = 0) => Array.from({ length: count }, (_, i) => ({ uid: `p${from + i}` }));

group('paging', () => {
  it('asks for more only after a page of more than ten', () => {
    expect(nextPage(list(10))).toBeUndefined();
    expect(nextPage([])).toBeUndefined();
    expect(nextPage(list(11))).toBe('p10');
  });

  it('shows a pinned playlist only among the pinned, and no playlist twice', () => {
    const pages = [list(3), list(3, 2)];
    expect(withoutPinned(pages, ['p1']).map(({ uid }) => uid)).toEqual(['p0', 'p2', 'p3', 'p4']);
  });
});

group('items', () => {
  it('starts with the first item and knows the next one', () => {
    expect(pick(list(2), undefined)).toEqual({
      current: { uid: 'p0' },
      next: { uid: 'p1' },
      previous: undefined,
      at: 0,
    });
    expect(pick(list(2), 'p1')).toEqual({ current: { uid: 'p1' }, next: undefined, previous: { uid: 'p0' }, at: 1 });
    expect(pick(list(2), 'gone').current).toEqual({ uid: 'p0' });
    expect(pick([], 'p1')).toEqual({ current: undefined, next: undefined, previous: undefined, at: 0 });
  });

  it('leaves out drafts, which have no URL', () => {
    expect(shown([{ url: '' }, { url: '/media/a/source' }])).toEqual([{ url: '/media/a/source' }]);
  });

  it('puts the start time into the link and reads only whole seconds from it', () => {
    const link = 'https://x.example/app/org/o/playlists/p?item=a';
    expect(shareLink(link, 0)).toBe(link);
    expect(shareLink(link, 65)).toBe(`${link}&t=65`);
    expect(startOf('65')).toBe(65_000);
    for (const t of [undefined, '', '-1', '1.5', '1e9', '1234567']) expect(startOf(t)).toBeUndefined();
  });

  it('knows how far an item is', () => {
    expect(shareOf(undefined)).toBe(0);
    expect(shareOf({ position: 30, length: null })).toBe(0);
    expect(shareOf({ position: 30, length: 120 })).toBe(0.25);
    expect(shareOf({ position: 130, length: 120 })).toBe(1);
  });

  it('formats durations', () => {
    expect(clock(null)).toBe('');
    expect(clock(0)).toBe('0:00');
    expect(clock(65_400)).toBe('1:05');
    expect(clock(3_723_000)).toBe('1:02:03');
    expect(describe({ kind: 'video', durationMs: 65_000 })).toBe('Video · 1:05');
    expect(describe({ kind: 'pdf', durationMs: null })).toBe('PDF');
    expect(countItems(1)).toBe('1 item');
    expect(countItems(0)).toBe('0 items');
  });
});
