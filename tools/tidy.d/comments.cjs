// Doc comments that only repeat a name. Public items of Rust must have one (`missing_docs`), so those are left out.
'use strict';
const { files, generated, lines, violation } = require('./sources.cjs');

const smallWords = new Set('the a an of its it this is are in for to which that what and or with by has have be on at from one returns whether if'.split(' '));
const stems = (text) =>
  (text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? [])
    .map((word) => word.toLowerCase())
    .filter((word) => !smallWords.has(word))
    .map((word) => word.replace(/(?<=...)(ing|ed|es|s|e)$/, ''));
const isDoc = (text) => /^\s*(\/\/\/|\/\*\*|\*)/.test(text ?? '');
const source = files.filter((file) => /\.(rs|ts|tsx)$/.test(file) && !generated.has(file));
for (const file of source) {
  const all = lines(file);
  all.forEach((text, at) => {
    const doc = text.match(/^\s*(?:\/\/\/ (.+)|\/\*\* (.+?) ?\*\/)$/);
    if (!doc || isDoc(all[at - 1]) || isDoc(all[at + 1])) return;
    const declaration = all.slice(at + 1).find((line) => !/^\s*#\[/.test(line)) ?? '';
    // A function without a body is one of a trait.
    const isPrivate = /\.rs$/.test(file) ? /^\s*(pub\((super|crate)\) )?(async )?(fn|struct|enum|const|static|type) /.test(declaration) && !/\bfn .*;$/.test(declaration) : true;
    const names = new Set(stems(declaration));
    if (isPrivate && stems(doc[1] ?? doc[2]).every((word) => names.has(word))) violation(file, at + 1, 'the comment only repeats the name');
  });
}
