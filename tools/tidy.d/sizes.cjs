// Sizes of files and functions, panics without a stated reason, leftovers.
'use strict';
const { files, generated, lines, violation, isRustTest, isTestCrate, productLines } = require('./sources.cjs');

const limits = { source: 500, test: 600, web: 300, fn: 60, root: 150 };
for (const file of files.filter((name) => name.endsWith('.rs'))) {
  const test = isRustTest(file);
  const counted = test ? lines(file).map((text, at) => [at + 1, text]) : productLines(file);
  const isRoot = /^crates\/\w+\/src\/lib\.rs$/.test(file);
  const limit = isRoot ? limits.root : test ? limits.test : limits.source;
  if (counted.length > limit) violation(file, 0, `${counted.length} lines, at most ${limit}`);
  const migration = file.includes('/migrations/');
  if (!test && !migration) longFunctions(file, counted);
  if (!test && !isTestCrate(file)) unjustifiedPanics(file, counted);
  if (!/^(\/\/!|#!\[)/.test(lines(file)[0] ?? '')) violation(file, 1, 'does not start with //!');
}
// The texts of a language are one file, however many they are.
const isLanguage = (name) => name.startsWith('web/viewer/src/languages/');
for (const file of files.filter((name) => /\.(ts|tsx|mjs)$/.test(name) && !generated.has(name) && !isLanguage(name))) {
  const count = lines(file).length;
  if (count > limits.web) violation(file, 0, `${count} lines, at most ${limits.web}`);
}

function longFunctions(file, counted) {
  let open = null;
  for (const [number, text] of counted) {
    const begin = text.match(/^(\s*)(pub(\([^)]*\))? )?(const |async |unsafe )*fn \w+/);
    if (!open && begin && !/[;}]$/.test(text)) open = { number, indent: begin[1] };
    else if (open && text === `${open.indent}}`) {
      const length = number - open.number + 1;
      if (length > limits.fn) violation(file, open.number, `a function of ${length} lines, at most ${limits.fn}`);
      open = null;
    } else if (open && text.startsWith(`${open.indent})`) && text.endsWith(';')) open = null;
  }
}

/** An unwrap needs a reason: an `#[expect(clippy::…, reason = …)]` on the enclosing item. */
function unjustifiedPanics(file, counted) {
  const risky = /\.(unwrap|expect)\(|\b(panic|unreachable|todo|unimplemented)!\(/;
  counted.forEach(([number, text], at) => {
    if (!risky.test(text) || /^\s*\/\//.test(text)) return;
    const before = counted.slice(Math.max(0, at - 15), at + 1).map(([, line]) => line).join('\n');
    const justified = /(expect|allow)\(clippy::(unwrap_used|expect_used|panic|unreachable)/.test(before);
    if (!justified) violation(file, number, `may panic without a stated reason: ${text.trim()}`);
  });
}

// Leftovers, in every text file except this one, which lists them.
const leftover = /\b(TODO|FIXME|XXX|HACK)\b/;
for (const file of files) {
  if (file === 'tools/tidy.d/sizes.cjs' || generated.has(file) || /(package-lock\.json|Cargo\.lock|\.(png|ico|woff2|svg|jpg|mp4))$/.test(file)) continue;
  lines(file).forEach((text, at) => leftover.test(text) && violation(file, at + 1, `leftover: ${text.trim()}`));
}
