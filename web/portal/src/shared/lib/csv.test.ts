import { expect, test } from 'vitest';
import { csvName, csvOf } from './csv.ts';

test('every cell is quoted, lines end in CRLF, and the file begins with a byte order mark', async () => {
  const file = csvOf([
    ['a "b"', 1],
    ['c,d', -2],
  ]);
  const bytes = new Uint8Array(await file.arrayBuffer());
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(await file.text()).toBe('"a ""b""","1"\r\n"c,d","-2"\r\n');
});

test('text that a spreadsheet would run gets an apostrophe', async () => {
  const file = csvOf([['=1+1', '+a', '-a', '@a', '＝1', 'a=1']]);
  expect(await file.text()).toContain(`"'=1+1","'+a","'-a","'@a","'＝1","a=1"`);
});

test('a file is named after its parts', () => {
  expect([csvName('Northwind Media!', 'watch time'), csvName('日本')]).toEqual([
    'northwind-media-watch-time.csv',
    'export.csv',
  ]);
});
