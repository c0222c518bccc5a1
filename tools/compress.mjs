// Replaces each file of a web build of at least 1 KiB that Brotli makes smaller with its Brotli variant, so that the program
// carries each file once. The server decompresses it for the few clients that do not accept Brotli.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const brotli = promisify(brotliCompress);
const COMPRESSIBLE = /\.(js|css|html|svg|json|webmanifest|txt|wasm|ttf|pfb|bcmap|icc)$/;
const WORTH_IT = 1024;

async function compress(path) {
  const plain = await readFile(path);
  if (plain.length < WORTH_IT) return;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
  };
  const compressed = await brotli(plain, { params });
  if (compressed.length >= plain.length) return;
  await writeFile(`${path}.br`, compressed);
  await rm(path);
}

for (const folder of process.argv.slice(2)) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && COMPRESSIBLE.test(entry.name) && !entry.parentPath.endsWith('.vite'));
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  const work = async () => {
    for (let path = paths.pop(); path; path = paths.pop()) await compress(path);
  };
  // Four files at a time: libuv has four threads by default.
  await Promise.all([work(), work(), work(), work()]);
}
