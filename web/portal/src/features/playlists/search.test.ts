import { expect, test } from 'vitest';
import { contentSearchOf, playlistSearchOf } from './search.ts';

// The router fills in what is not named from the address as it was typed, so the names count as well as the values.
const named = (search: object) => Object.entries(search);

test('of the address of the content screen only what makes sense is taken, and all of it is named', () => {
  const full = { tab: 'all', search: 'film', sort: 'watched', kind: 'pdf', loose: true };
  expect(contentSearchOf(full)).toEqual(full);
  const nonsense = contentSearchOf({ tab: 'some', search: '', sort: 'colour', kind: 'tune', loose: 'yes' });
  expect(named(nonsense)).toEqual(['tab', 'search', 'sort', 'kind', 'loose'].map((name) => [name, undefined]));
  expect(contentSearchOf({ search: 2026 }).search).toBe('2026');
});

test('of the address of a playlist only a content and one of the two wizards are taken', () => {
  expect(playlistSearchOf({ content: 'a', add: 'file' })).toEqual({ content: 'a', add: 'file' });
  expect(playlistSearchOf({ add: 'url' }).add).toBe('url');
  expect(named(playlistSearchOf({ content: 7, add: 'everything' }))).toEqual([
    ['content', undefined],
    ['add', undefined],
  ]);
});
