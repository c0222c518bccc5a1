/** CSV files made from what a screen shows. */

/** What a spreadsheet would take for a formula, also in full width. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/u;

/** Quotes every cell; text that would be a formula gets an apostrophe. UTF-8 with BOM, comma, CRLF. */
export function csvOf(rows: readonly (readonly (string | number)[])[]): Blob {
  const cell = (value: string | number) => {
    const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);
    return `"${text.replaceAll('"', '""')}"`;
  };
  const lines = rows.map((row) => `${row.map(cell).join(',')}\r\n`);
  return new Blob(['\ufeff', ...lines], { type: 'text/csv;charset=utf-8' });
}

/** Returns a file name from parts such as the name of an organisation: lower case, with hyphens. */
export function csvName(...parts: string[]): string {
  const plain = parts.map((part) =>
    part
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, ''),
  );
  return `${plain.filter(Boolean).join('-') || 'export'}.csv`;
}
