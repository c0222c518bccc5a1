/** Measures what screens of the viewer app load (gzip), from the build's manifest, and fails over budget. */
import { existsSync, readFileSync } from 'node:fs';
import { brotliDecompressSync, gzipSync } from 'node:zlib';

const KB = 1000;
/**
 * Budgets in kB. React, the router and the query client are 108 kB of each screen. Watching includes the player of video
 * and audio, but not what is only loaded for streams and documents.
 */
const screens = [
  { name: 'join', page: 'src/features/join/join-page.tsx', js: 126, css: 10 },
  { name: 'home', page: 'src/features/playlists/home-page.tsx', js: 130, css: 10 },
  {
    name: 'watch',
    page: 'src/features/playlists/playlist-page.tsx',
    more: ['../packages/player/src/media-surface.tsx'],
    js: 186,
    css: 14,
  },
];

const dist = new URL('../viewer/dist/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'));

/** Large files of the build exist only in compressed form. */
function weigh(file) {
  const compressed = new URL(`${file}.br`, dist);
  const plain = existsSync(compressed)
    ? brotliDecompressSync(readFileSync(compressed))
    : readFileSync(new URL(file, dist));
  return gzipSync(plain, { level: 9 }).length / KB;
}

/** Everything loaded before the screen can render: its chunk and, recursively, its static imports. */
function closure(key, seen = new Set()) {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const next of manifest[key].imports ?? []) closure(next, seen);
  return seen;
}

let over = 0;
const entry = Object.keys(manifest).find((key) => manifest[key].isEntry);
for (const { name, page, more = [], js, css } of screens) {
  const chunks = [page, ...more].reduce((seen, key) => closure(key, seen), closure(entry));
  const files = [...chunks].map((key) => manifest[key]);
  const script = files.reduce((sum, { file }) => sum + weigh(file), 0);
  const styles = [...new Set(files.flatMap((chunk) => chunk.css ?? []))].reduce((sum, file) => sum + weigh(file), 0);
  const fine = script <= js && styles <= css;
  if (!fine) over += 1;
  console.log(
    `${fine ? '  ' : '! '}${name.padEnd(24)} js ${script.toFixed(0)}/${js} kB  css ${styles.toFixed(1)}/${css} kB`,
  );
}
process.exitCode = over === 0 ? 0 : 1;
