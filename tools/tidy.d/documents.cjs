// Links in documents, and names in the list of persisted names.
'use strict';
const { existsSync } = require('node:fs');
const { dirname, posix } = require('node:path');
const { files, lines, violation, isRustTest, productLines } = require('./sources.cjs');

// Documents: each relative link points to a file, each anchor to a heading, each path of a page to that page.
const slug = (heading) =>
  heading.replace(/[`*]|\[([^\]]*)\]\([^)]*\)/g, '$1').trim().toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replace(/ /g, '-');
const anchors = (file) => new Set(lines(file).flatMap((text) => text.match(/^#+ (.*)/)?.slice(1).map(slug) ?? []));
for (const file of files.filter((name) => name.endsWith('.md'))) {
  // A crate's README is also its rustdoc.
  const crateReadme = /^crates\/[^/]+\/README\.md$/.test(file);
  let fenced = false;
  lines(file).forEach((text, at) => {
    if (/^\s*(```|~~~)/.test(text)) fenced = !fenced;
    if (fenced) return;
    for (const [, path] of text.matchAll(/`(docs\/[^`\s*]+\.md)`/g)) if (!existsSync(path)) violation(file, at + 1, `no such file: ${path}`);
    const bare = text.replace(/`[^`]*`/g, '');
    const targets = [...bare.matchAll(/\]\(([^)\s]+)[^)]*\)|(?:src|href|srcset)="([^"\s]+)"/g)].map((m) => m[1] ?? m[2]);
    for (const target of targets.filter((link) => !/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(link))) {
      const [path, anchor] = target.split('#');
      const goal = path ? posix.normalize(posix.join(dirname(file), decodeURIComponent(path))) : file;
      if (crateReadme) violation(file, at + 1, `a relative link is dead in rustdoc; write the path: ${target}`);
      else if (!existsSync(goal)) violation(file, at + 1, `broken link: ${target}`);
      else if (anchor && goal.endsWith('.md') && !anchors(goal).has(anchor)) violation(file, at + 1, `no such heading: ${target}`);
    }
  });
}

// Persisted names: each name in the first column is still in a string below the folder that the last column names.
const persisted = 'docs/persisted-names.md';
const stringsBelow = (folder) => {
  const products = files.filter((name) => name.startsWith(`${folder}/`) && /\.(rs|ts|tsx|js)$/.test(name) && !/\.test\.tsx?$/.test(name));
  return products.filter((name) => !isRustTest(name)).map((name) => productLines(name).map(([, text]) => text).join('\n'));
};
/** By folder, the names that the page lists there. */
const listed = new Map();
lines(persisted).forEach((text, at) => {
  const cells = text.split('|').map((cell) => cell.trim());
  const folder = cells.at(-2)?.match(/^`((?:crates|web)\/[\w/]+)`/)?.[1];
  const names = [...(cells[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  if (names.length === 0 || cells.length < 4) return;
  if (!folder) return violation(persisted, at + 1, 'the last column does not begin with a folder of crates/ or web/');
  const crate = folder.split('/').slice(0, 2).join('/');
  listed.set(crate, new Set([...(listed.get(crate) ?? []), ...names]));
  const sources = stringsBelow(folder);
  for (const name of names) {
    const quoted = new RegExp(`(?:["'\`]|TABLE IF NOT EXISTS )${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}${/\w$/.test(name) ? '(?![\\w-])' : ''}`);
    if (!sources.some((source) => quoted.test(source))) violation(persisted, at + 1, `"${name}" is in no string of ${folder}`);
  }
});

// The other way round: a migration, a word of a column, a kind of job or a schedule that a crate stores is on the page.
const stores = /string_value = "([^"]+)"|const KIND: &'static str =\s*"([^"]+)"|\.every_if\(\s*"([^"]+)"|"(\w+_\d{8}_\d{2}_\w+)"/g;
for (const file of files.filter((name) => /^crates\/(?!testkit\/)[^/]+\/src\/.*\.rs$/.test(name) && !isRustTest(name))) {
  const kept = productLines(file);
  const source = kept.map(([, text]) => text).join('\n');
  const crate = file.split('/').slice(0, 2).join('/');
  for (const found of source.matchAll(stores)) {
    const name = found.slice(1).find(Boolean);
    const [line] = kept[source.slice(0, found.index + found[0].length).split('\n').length - 1];
    if (!listed.get(crate)?.has(name)) violation(file, line, `"${name}" is stored, but not in ${persisted}`);
  }
}
