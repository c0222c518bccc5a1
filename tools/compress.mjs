// Replaces each text file of a web build of at least 1 KiB with a Brotli and a gzip variant, so that the program does not carry
// the file three times. The server chooses by Accept-Encoding, and decompresses for the few clients that accept neither.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)];
const TEXT = /\.(js|css|html|svg|json|webmanifest|txt|wasm|ttf)$/;
const WORTH_IT = 1024;

async function compress(path) {
  const plain = await readFile(path);
  if (plain.length < WORTH_IT) return;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
  };
  const [small, zipped] = await Promise.all([brotli(plain, { params }), zip(plain, { level: 9 })]);
  await writeFile(`${path}.br`, small);
  await writeFile(`${path}.gz`, zipped);
  await rm(path);
}

for (const folder of process.argv.slice(2)) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = entries.filter((entry) => entry.isFile() && TEXT.test(entry.name) && !entry.parentPath.endsWith('.vite'));
  const paths = texts.map((entry) => join(entry.parentPath, entry.name));
  const work = async () => {
    for (let path = paths.pop(); path; path = paths.pop()) await compress(path);
  };
  // Four files at a time: libuv has four threads by default.
  await Promise.all([work(), work(), work(), work()]);
}
