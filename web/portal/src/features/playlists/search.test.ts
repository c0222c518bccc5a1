import { expect, test } from 'vitest';
import { contentSearchOf, playlistSearchOf } from './search.ts';

// The router keeps the raw value of a missing key, so the keys matter as well as the values.
const named = (search: object) => Object.entries(search);

test('the content screen takes only valid params, and returns every key', () => {
  const full = { tab: 'all', search: 'film', sort: 'watched', kind: 'pdf', loose: true };
  expect(contentSearchOf(full)).toEqual(full);
  const nonsense = contentSearchOf({ tab: 'some', search: '', sort: 'colour', kind: 'tune', loose: 'yes' });
  expect(named(nonsense)).toEqual(['tab', 'search', 'sort', 'kind', 'loose'].map((name) => [name, undefined]));
  expect(contentSearchOf({ search: 2026 }).search).toBe('2026');
});

test('a playlist takes only an item and one of the two wizards as params', () => {
  expect(playlistSearchOf({ content: 'a', add: 'file' })).toEqual({ content: 'a', add: 'file' });
  expect(playlistSearchOf({ add: 'url' }).add).toBe('url');
  expect(named(playlistSearchOf({ content: 7, add: 'everything' }))).toEqual([
    ['content', undefined],
    ['add', undefined],
  ]);
});
