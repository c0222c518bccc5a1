// Writes a Brotli and a gzip variant of every text file of a web build; the server selects one by Accept-Encoding.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)];
const TEXT = /\.(js|css|html|svg|json|webmanifest|txt|wasm|ttf)$/;
const WORTH_IT = 1024;

for (const folder of process.argv.slice(2)) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !TEXT.test(entry.name)) continue;
    const plain = await readFile(path);
    if (plain.length < WORTH_IT) continue;
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
    };
    await writeFile(`${path}.br`, await brotli(plain, { params }));
    await writeFile(`${path}.gz`, await zip(plain, { level: 9 }));
  }
}
