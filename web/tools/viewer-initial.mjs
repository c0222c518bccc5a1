/** Measures what screens of the viewer app load (gzip), from the build's manifest, and fails over budget. */
import { existsSync, readFileSync } from 'node:fs';
import { brotliDecompressSync, gzipSync } from 'node:zlib';

const KB = 1000;
/**
 * Budgets in kB, with everything a browser loads before the screen can be used: the entry, the texts, the app and its
 * screen. Joining starts without the app. Watching includes the player of video and audio, but not what is only loaded for
 * streams and documents.
 */
const app = ['src/app/start.tsx', 'src/languages/en.ts'];
const screens = [
  { name: 'join', needs: ['src/app/first-page.tsx', 'src/languages/en.ts'], js: 90, css: 10 },
  { name: 'home', needs: [...app, 'src/features/playlists/home-page.tsx'], js: 120, css: 10 },
  {
    name: 'watch',
    needs: [...app, 'src/features/playlists/playlist-page.tsx', '../packages/player/src/media-surface.tsx'],
    js: 160,
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
for (const { name, needs, js, css } of screens) {
  const chunks = needs.reduce((seen, key) => closure(key, seen), closure(entry));
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
