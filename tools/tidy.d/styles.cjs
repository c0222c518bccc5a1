// A class that a component takes from a CSS module is in that module; vite/client types every name as a string.
'use strict';
const { dirname, posix } = require('node:path');
const { files, lines, violation } = require('./sources.cjs');

const classesOf = (file) => new Set([...lines(file).join('\n').matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name]) => name));
for (const file of files.filter((name) => /^web\/.*\.tsx?$/.test(name))) {
  const all = lines(file);
  for (const [, name, from] of all.join('\n').matchAll(/^import (\w+) from '([^']+\.module\.css)';/gm)) {
    const root = file.match(/^web\/\w+\/src\//)?.[0];
    const sheet = from.startsWith('~/') ? root + from.slice(2) : posix.normalize(posix.join(dirname(file), from));
    if (!files.includes(sheet)) {
      violation(file, all.findIndex((text) => text.includes(from)) + 1, `no such file: ${from}`);
      continue;
    }
    const known = classesOf(sheet);
    const used = new RegExp(`\\b${name}(?:\\.([a-zA-Z]\\w*)|\\['([^']+)'\\])`, 'g');
    all.forEach((text, at) => {
      if (/^import |^\} from /.test(text)) return;
      for (const [, plain, quoted] of text.matchAll(used)) {
        if (!known.has(plain ?? quoted)) violation(file, at + 1, `${sheet} has no class ${plain ?? quoted}`);
      }
    });
  }
}
