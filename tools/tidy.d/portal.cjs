// The portal: imports between its folders, and loaders of its routes.
'use strict';
const { dirname, posix } = require('node:path');
const { files, lines, violation } = require('./sources.cjs');

// The portal: app -> features -> shared, and a feature imports only features of lower layers.
const featureLayers = [['session'], ['profile'], ['orgs'], ['audit'], ['members', 'billing', 'content'], ['playlists'], ['analytics'], ['leads']];
const layerOfFeature = new Map(featureLayers.flatMap((features, layer) => features.map((feature) => [feature, layer])));
// The settings screen imports from other features; none imports from it.
layerOfFeature.set('settings', featureLayers.length);
const zoneOf = (file) => {
  const [, area, folder] = file.match(/^web\/portal\/src\/(app|features|shared)\/([^/]+)/) ?? [];
  return area && { area, name: area === 'features' ? folder : area };
};
for (const file of files.filter((name) => /^web\/portal\/src\/.*\.tsx?$/.test(name))) {
  const here = zoneOf(file);
  // Tests and their tools render whole screens.
  if (!here || /\.test\.tsx?$|\/shared\/testing\//.test(file)) continue;
  if (here.area === 'features' && !layerOfFeature.has(here.name)) violation(file, 0, `${here.name} is in no layer; add it to tools/tidy.d/portal.cjs`);
  lines(file).forEach((text, at) => {
    const from = text.match(/(?:from |import\()'((?:~|\.{1,2})\/[^']+)'/)?.[1];
    const target = from && zoneOf(from.startsWith('~/') ? `web/portal/src/${from.slice(2)}` : posix.join(dirname(file), from));
    if (!target || target.name === here.name) return;
    const areas = ['shared', 'features', 'app'];
    const down = areas.indexOf(target.area) < areas.indexOf(here.area);
    const bothFeatures = here.area === 'features' && target.area === 'features';
    const lower = bothFeatures && layerOfFeature.get(target.name) < layerOfFeature.get(here.name);
    if (!down && !lower) violation(file, at + 1, `${here.name} may not import ${target.name}`);
  });
}

// The portal: a route whose screen queries has a loader that starts the queries beside the screen's files.
const portal = 'web/portal/src';
const routes = `${portal}/app/routes.tsx`;
/** The file and what it imports from the folders of its own feature, in turn; lazy imports do not count. */
function ownFiles(file, seen = new Set()) {
  if (seen.has(file) || !files.includes(file)) return seen;
  seen.add(file);
  const feature = file.match(/^.*\/features\/[^/]+\/|^.*\/app\//)?.[0];
  for (const [, from] of lines(file).join('\n').matchAll(/^(?:import|export)\b[^;]*?from '(\.[^']+)'/gm)) {
    const next = posix.normalize(posix.join(dirname(file), from));
    if (feature && next.startsWith(feature)) ownFiles(next, seen);
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
