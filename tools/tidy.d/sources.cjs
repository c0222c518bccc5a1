// The files of the repository, and where violations are collected.
'use strict';
const { execFileSync } = require('node:child_process');
const { existsSync, readFileSync, statSync } = require('node:fs');
const { join } = require('node:path');

process.chdir(join(__dirname, '../..'));
const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { maxBuffer: 1 << 26 });
const files = listed.toString().split('\0').filter((file) => file && existsSync(file) && statSync(file).isFile());
const generated = new Set(['openapi.json', 'web/packages/api/src/schema.d.ts', 'vitrine.example.toml', 'LICENSE']);
const texts = new Map();
const lines = (file) => {
  if (!texts.has(file)) texts.set(file, readFileSync(file, 'utf8').replace(/\n$/, '').split('\n'));
  return texts.get(file);
};
const found = [];
const violation = (file, line, what) => found.push(`${file}${line ? `:${line}` : ''}: ${what}`);

// Rust: which files are tests, and which lines of a source file are outside its test module.
const isRustTest = (file) => /\/(tests|benches)\//.test(file) || /(^|\/|_)tests\.rs$/.test(file);
const isTest = (file) => isRustTest(file) || /\.(test|e2e)\.tsx?$|^e2e\/|\/testing\//.test(file);
const isTestCrate = (file) => /^(crates\/(testkit|bulk)|bench|fuzz)\//.test(file);
/** Lines outside `#[cfg(test)]` items, as [number, text]. rustfmt closes a block at the indent it opened with. */
function productLines(file) {
  const all = lines(file);
  const kept = [];
  for (let at = 0; at < all.length; at += 1) {
    const begin = all[at].match(/^(\s*)#\[cfg\(test\)\]/);
    if (!begin) {
      kept.push([at + 1, all[at]]);
      continue;
    }
    while (at + 1 < all.length && /^\s*#/.test(all[at + 1])) at += 1;
    at += 1;
    if (/[{]$/.test(all[at] ?? '')) while (at < all.length && all[at] !== `${begin[1]}}`) at += 1;
  }
  return kept;
}

module.exports = { found, files, generated, lines, violation, isRustTest, isTest, isTestCrate, productLines };
