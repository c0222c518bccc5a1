// Crates: READMEs, dependencies, and operations that import each other.
'use strict';
const { files, lines, violation, productLines } = require('./sources.cjs');

// Crates: each has a README, and dependencies point down only.
const layers = [
  ['kernel'],
  ['db', 'storage', 'media', 'payments'],
  ['httpkit', 'jobs'],
  ['mail'],
  ['sandbox'],
  ['identity'],
  ['orgs'],
  ['testkit'],
  ['billing', 'content'],
  ['playlists'],
  ['audience'],
  ['analytics'],
  ['leads'],
  ['server'],
];
const layerOf = new Map(layers.flatMap((names, layer) => names.map((name) => [name, layer])));
const manifests = files.filter((file) => /^crates\/[^/]+\/Cargo\.toml$/.test(file));
for (const manifest of manifests) {
  const name = manifest.split('/')[1];
  if (!files.includes(`crates/${name}/README.md`)) violation(`crates/${name}`, 0, 'has no README.md');
  if (!layerOf.has(name)) violation(manifest, 0, `${name} is in no layer; add it to tools/tidy.d/crates.cjs`);
  let section = '';
  lines(manifest).forEach((text, at) => {
    section = text.match(/^\[(.+)\]/)?.[1] ?? section;
    const needed = text.match(/^([a-z0-9_-]+)(\.workspace)?\s*=/)?.[1];
    if (section !== 'dependencies' || !layerOf.has(needed)) return;
    const down = layerOf.get(needed) < layerOf.get(name) && needed !== 'testkit';
    const isMisplacedSandbox = needed === 'sandbox' && name !== 'server';
    if (!down || isMisplacedSandbox) violation(manifest, at + 1, `${name} may not depend on ${needed}`);
  });
}

// Feature crates: an operation does not import another one. What several share is beside ops/, and ops/ imports it.
const operationOf = (file) => file.match(/^crates\/(\w+)\/src\/ops\/(?!mod\.rs)(\w+)/)?.slice(1);
for (const file of files.filter(operationOf)) {
  const [crate, own] = operationOf(file);
  const isOperation = (name) => files.some((other) => operationOf(other)?.join('/') === `${crate}/${name}`);
  const up = file.split('/').length === 5 ? 'super' : 'super::super';
  for (const [number, text] of productLines(file)) {
    const named = [...text.matchAll(new RegExp(`(?:\\bops|(?<!super::)\\b${up})::\\{?(\\w+)`, 'g'))].map((m) => m[1]);
    const other = named.find((name) => name !== own && isOperation(name));
    if (other) violation(file, number, `${own} imports the operation ${other}; move what they share beside ops/`);
  }
}
