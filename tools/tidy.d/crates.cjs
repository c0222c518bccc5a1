// Crates: READMEs, dependencies, and operations that import each other.
'use strict';
const { files, lines, violation, productLines } = require('./sources.cjs');

// Crates: each has a README, and dependencies point down only.
const layers = [
  ['kernel'],
  ['db', 'storage', 'media', 'payments'],
  ['httpkit', 'jobs', 'backup'],
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
  ['demo', 'bulk'],
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

// Feature crates: an operation is a file below ops/ with `#[utoipa::path`. Files there import no other operation and nothing from
// ops/mod.rs: what several share is beside ops/, and ops/ imports it.
const opsFiles = files.filter((file) => /^crates\/\w+\/src\/ops\/.+\.rs$/.test(file) && !file.endsWith('/mod.rs'));
const operations = new Set(opsFiles.filter((file) => lines(file).some((text) => text.startsWith('#[utoipa::path('))));
/** Writes `a::{b, c::{d}}` as `a::b, a::c::d`, each name on its line. */
function withoutBraces(text) {
  const flat = text.replace(/([\w:]+::)\{([^{}]*)\}/g, (_, prefix, names) => names.replace(/(^|,)(\s*)(?=[\w*])/g, `$1$2${prefix}`));
  return flat === text ? text : withoutBraces(flat);
}
/** The path from the root of the crate, for a path in the module `own`. */
function fromRoot(own, path) {
  const names = path.replace(/^crate::/, '').split('::');
  const begin = path.startsWith('crate::') ? [] : own.split('/');
  return names.reduce((from, name) => (name === 'super' ? from.slice(0, -1) : name === 'self' ? from : [...from, name]), begin);
}
for (const file of opsFiles) {
  const [, src, own] = file.match(/^(crates\/\w+\/src\/)(.+)\.rs$/);
  const product = productLines(file);
  const text = withoutBraces(product.map(([, line]) => line.replace(/\/\/.*/, '')).join('\n'));
  for (const { 0: named, index } of text.matchAll(/(?<![\w:]|\(in )(?:crate|super)(?:::(?:\w+|\*))+/g)) {
    const path = fromRoot(own, named);
    if (path[0] !== 'ops') continue;
    const number = product[text.slice(0, index).split('\n').length - 1][0];
    const other = path.map((_, at) => path.slice(0, at + 1).join('/')).find((name) => operations.has(`${src}${name}.rs`));
    const isModule = opsFiles.some((name) => [`${src}ops/${path[1]}.rs`, `${src}ops/${path[1]}/`].some((begin) => name.startsWith(begin)));
    if (other && !`${own}/`.startsWith(`${other}/`)) violation(file, number, `${own} imports the operation ${other}; move what they share beside ops/`);
    else if (!isModule) violation(file, number, `${own} imports ${path[1] ?? 'ops'} from ops/mod.rs; move it beside ops/`);
  }
}
