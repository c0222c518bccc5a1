// A route of the portal whose screen queries has a loader that starts the queries beside the screen's files.
'use strict';
const { dirname, posix } = require('node:path');
const { files, lines, violation } = require('./sources.cjs');

const portal = 'web/portal/src';
const routes = `${portal}/app/routes.tsx`;
/** The file and what it imports from features, in turn; lazy imports and shared parts do not count. */
function ownFiles(file, seen = new Set()) {
  if (seen.has(file) || !files.includes(file)) return seen;
  seen.add(file);
  for (const [, from] of lines(file).join('\n').matchAll(/^(?:import|export)\b[^;]*?from '((?:\.|~\/)[^']+)'/gm)) {
    const next = from.startsWith('~/') ? `${portal}/${from.slice(2)}` : posix.normalize(posix.join(dirname(file), from));
    if (/\/(features|app)\//.test(next)) ownFiles(next, seen);
  }
  return seen;
}
const queries = (file) => lines(file).some((text) => /\buse(Prefetch|Suspense)?(Infinite)?Quer(y|ies)[(<]/.test(text));
for (const [, name, body] of lines(routes).join('\n').matchAll(/^const (\w+) = createRoute\(\{\n(.*?)^\}\);/gms)) {
  const from = body.match(/import\('([^']+)'\)/)?.[1];
  if (!from || /^ {2}loader:/m.test(body)) continue;
  const page = from.startsWith('~/') ? `${portal}/${from.slice(2)}` : posix.join(dirname(routes), from);
  const line = lines(routes).findIndex((text) => text.startsWith(`const ${name} = `)) + 1;
  if (!files.includes(page)) violation(routes, line, `no such file: ${from}`);
  else if ([...ownFiles(page)].some(queries)) violation(routes, line, `${name} queries but has no loader`);
}
