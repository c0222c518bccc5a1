// Which crate reads and writes which table.
'use strict';
const { files, lines, violation, isRustTest, isTestCrate, productLines } = require('./sources.cjs');

// SQL: the crate whose migrations create a table is the only one that writes it. ARCHITECTURE.md declares who else reads it.
const architecture = 'docs/ARCHITECTURE.md';
const sources = files.filter((file) => /^crates\/[^/]+\/src\/.+\.rs$/.test(file) && !isRustTest(file) && !isTestCrate(file));
const crateOf = (file) => file.split('/')[1];
const ownerOf = new Map();
for (const file of sources) {
  const created = /\bTable::create\(\)\s*\.table\("(\w+)|\bCREATE TABLE (?:IF NOT EXISTS )?(\w+)/g;
  for (const [, built, written] of lines(file).join('\n').matchAll(created)) ownerOf.set(built ?? written, crateOf(file));
}
/** The tables that a file names outside its tests, as [line, table, whether it is written]. */
function tablesIn(file) {
  const kept = productLines(file);
  const text = kept.map(([, line]) => line).join('\n');
  const uses = [];
  const use = (at, table, write) => uses.push([kept[text.slice(0, at).split('\n').length - 1][0], table, write]);
  // Comments and characters are matched so that a quote in them does not begin a string.
  const token = /\/\/.*|'(?:\\.[^']*|[^'\\\n])'|\br(#*)"[^]*?"\1|"(?:[^"\\]|\\[^])*"/g;
  for (const { 0: literal, index } of text.matchAll(token)) {
    if (!/^(r#*)?"/.test(literal)) continue;
    if (/^(r#*)?"\s*(select\s.*\sfrom|insert\s+into|update\s+\w+\s+set|delete\s+from)\b/s.test(literal)) {
      violation(file, kept[text.slice(0, index).split('\n').length - 1][0], 'write the keywords of SQL in capitals');
    }
    const statement = /\b(DELETE\s+FROM|FROM|JOIN|INTO|UPDATE)(?:\s|\\\n)+(\w+)/g;
    for (const m of literal.matchAll(statement)) use(index + m.index, m[2], !/^(FROM|JOIN)$/.test(m[1]));
    // The first argument of bulk_upsert: a table with its columns.
    const target = literal.match(/^"(\w+) \([a-z_][\w,\s\\]*\)"$/)?.[1];
    if (target) use(index, target, true);
  }
  // Migrations and entities.
  for (const m of text.matchAll(/(?:\.table\(|\btable_name = )"(\w+)"/g)) use(m.index, m[1], true);
  return uses;
}
const declared = new Map();
const section = lines(architecture).indexOf('## Reads across crates') + 1;
for (let at = section; section && at < lines(architecture).length && !lines(architecture)[at].startsWith('## '); at += 1) {
  const [, reader, table, owner] = lines(architecture)[at].match(/^\| (\w+) \| `(\w+)` \| (\w+) \| .+ \|$/) ?? [];
  if (!reader) continue;
  declared.set(`${reader} ${table}`, { line: at + 1, read: false });
  if (ownerOf.get(table) !== owner) violation(architecture, at + 1, `${table} does not belong to ${owner}`);
}
for (const file of sources) {
  const reader = crateOf(file);
  for (const [line, table, write] of tablesIn(file)) {
    const owner = ownerOf.get(table) ?? reader;
    if (owner === reader) continue;
    const declaration = declared.get(`${reader} ${table}`);
    if (write) violation(file, line, `${reader} writes ${table}, a table of ${owner}`);
    else if (declaration) declaration.read = true;
    else violation(file, line, `${reader} reads ${table}, a table of ${owner}; declare it in ${architecture}`);
  }
}
for (const [read, { line, read: exists }] of declared) {
  if (!exists) violation(architecture, line, `a read that no longer exists: ${read}`);
}
