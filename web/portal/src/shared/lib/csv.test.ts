import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';

/** Fixed, so that the tests of a commit always give the same result. */
const seed = 1;

/** Reads RFC 4180 as a spreadsheet does. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let at = 0;
  const cell = (): string => {
    let value = '';
    if (text[at] !== '"') {
      while (at < text.length && !',\r\n'.includes(text.charAt(at))) value += text[at++];
      return value;
    }
    at += 1;
    while (text[at] !== '"' || text[at + 1] === '"') {
      if (at >= text.length) throw new Error('a quote is not closed');
      if (text[at] === '"') at += 1;
      value += text[at++];
    }
    at += 1;
    return value;
  };
  for (;;) {
    rows.at(-1)?.push(cell());
    if (at >= text.length) return rows;
    if (text[at] === ',') at += 1;
    else if (text.startsWith('\r\n', at)) {
      at += 2;
      rows.push([]);
    } else throw new Error(`unexpected character at ${at}`);
  }
}

/** Text of any kind, often with the characters that mean something in CSV or at the start of a formula. */
const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', "'", ' ', '1', 'A', '(') }),
);
const tables = fc.integer({ min: 1, max: 5 }).chain((width) => {
  const row = fc.array(value, { minLength: width, maxLength: width });
  return fc.tuple(row, fc.array(row, { maxLength: 6 }));
});

test('any table reads back as it was written, apart from the apostrophe before a formula', () => {
  fc.assert(
    fc.property(tables, ([header, rows]) => {
      const sent = [header, ...rows];
      const read = readCsv(toCsv(header, rows));
      const bare = read.map((row, y) => row.map((cell, x) => (cell === `'${sent[y]?.[x]}` ? cell.slice(1) : cell)));
      expect(bare).toEqual(sent);
    }),
    { numRuns: 500, seed },
  );
});

test('a cell that starts like a formula gets an apostrophe, except a phone number, and no other cell does', () => {
  fc.assert(
    fc.property(value, (cell) => {
      const [read = ''] = readCsv(toCsv(['header'], [[cell]]))[1] ?? [];
      const isPhone = /^\+\d[\d ()-]*$/.test(cell);
      expect(/^[=+\-@\t\r]/.test(read)).toBe(isPhone);
      expect(read).toBe(/^[=+\-@\t\r]/.test(cell) && !isPhone ? `'${cell}` : cell);
    }),
    { numRuns: 500, seed },
  );
});
