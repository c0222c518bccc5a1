import { afterEach, expect, test, vi } from 'vitest';

/** Loads the formats for a person with these languages. */
async function formats(...languages: string[]) {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(languages);
  vi.resetModules();
  return import('./format.ts');
}

afterEach(() => vi.restoreAllMocks());

test('dates, counts and sizes follow the languages of the person', async () => {
  const german = await formats('de-DE', 'en');
  expect([german.dateOf('2026-12-24T10:00:00Z'), german.count(12_480), german.fileSize(1_234_567)]).toEqual([
    '24. Dez. 2026',
    '12.480',
    '1,18 MB',
  ]);
  const american = await formats('en-US');
  expect([american.dateOf('2026-12-24T10:00:00Z'), american.count(12_480)]).toEqual(['Dec 24, 2026', '12,480']);
});

test('a language tag that the browser made up does not break the portal', async () => {
  const { count } = await formats('en-US@posix');
  expect(count(7)).toBe('7');
});
