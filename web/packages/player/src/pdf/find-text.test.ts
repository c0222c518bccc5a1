import { describe, expect, it } from 'vitest';
import { fold, matchesIn, pagesFrom } from './find-text.ts';

const places = (text: string, words: string, limit = 10) =>
  matchesIn(text, words, 1, limit).map(({ from, to }) => [from, to]);

describe('finding words', () => {
  it('ignores case and marks, and keeps every position', () => {
    expect(places('Über Öl und öl', 'OL')).toEqual([
      [5, 7],
      [12, 14],
    ]);
    for (const text of ['İstanbul', 'ﬁnal', 'straße', '한국어', '😀 a']) expect(fold(text)).toHaveLength(text.length);
  });

  it('takes line breaks and several spaces for one space; breaks have no place in the text layer', () => {
    expect(places('one\ntwo   three\nfour', 'two three four')).toEqual([[3, 18]]);
    expect(places('one\ntwo', 'one two')).toEqual([[0, 6]]);
  });

  it('takes signs as they are written', () => {
    expect(places('1.5 (net) 105', '1.5 (NET)')).toEqual([[0, 9]]);
    expect(places('a+b', '[a-z]')).toEqual([]);
    expect(places('text', '   ')).toEqual([]);
  });

  it('stops at the limit', () => {
    expect(places('aaaaa', 'a', 3)).toHaveLength(3);
  });
});

it('begins on the current page and continues from the first', () => {
  expect(pagesFrom(3, 4)).toEqual([3, 4, 1, 2]);
});
