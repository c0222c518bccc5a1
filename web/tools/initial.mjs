/** Measures what each portal screen loads (gzip), from the build's manifest, and fails over budget. */
import { existsSync, readFileSync } from 'node:fs';
import { brotliDecompressSync, gzipSync } from 'node:zlib';

const KB = 1000;
/**
 * Budgets in kB: the login, the home with its shell, and any other screen. Code that loads after the first paint (toasts,
 * menus) is not counted; e2e/first-visit.e2e.ts measures everything a browser loads for the login and the home.
 */
const budgets = { 'login-page': 160, 'home-page': 210, other: 270, css: 40 };

const dist = new URL('../portal/dist/', import.meta.url);
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

/** Screens behind the sidebar load the shell as well. */
const outside =
  /(login|sign-up|forgot-password|reset-password|verify-email|authenticate|details|no-plan|invite|account-type|create-account|select-account|payment-\w+|checkout)-page/;
const parents = (page) => (outside.test(page) ? [] : ['src/app/shell/shell.tsx', 'src/app/org-layout.tsx']);

let over = 0;
const entry = Object.keys(manifest).find((key) => manifest[key].isEntry);
const pages = Object.keys(manifest).filter((key) => key.endsWith('-page.tsx'));
for (const page of pages.sort()) {
  const chunks = [page, ...parents(page)].reduce((seen, key) => closure(key, seen), closure(entry));
  const files = [...chunks].map((key) => manifest[key]);
  const script = files.reduce((sum, { file }) => sum + weigh(file), 0);
  const css = [...new Set(files.flatMap((chunk) => chunk.css ?? []))].reduce((sum, file) => sum + weigh(file), 0);
  const name = page.split('/').pop().replace('.tsx', '');
  const budget = budgets[name] ?? budgets.other;
  const fine = script <= budget && css <= budgets.css;
  if (!fine) over += 1;
  console.log(
    `${fine ? '  ' : '! '}${name.padEnd(24)} js ${script.toFixed(0)}/${budget} kB  css ${css.toFixed(0)}/${budgets.css} kB`,
  );
}
process.exitCode = over === 0 ? 0 : 1;
