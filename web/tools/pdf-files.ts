/// <reference types="node" />
/** The runtime files of pdf.js: worker, character maps, fonts and decoders, shipped with the apps. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const folders = ['cmaps', 'standard_fonts', 'wasm', 'iccs'];
const worker = 'pdf.worker.min.js';

/**
 * Serves them at `/assets/pdf-{version}/`, where the player looks for them; the version separates old copies. The portal's
 * build holds them for both apps, which share one host.
 */
export function pdfFiles({ emit }: { emit: boolean }): Plugin {
  const manifest = createRequire(import.meta.url).resolve('pdfjs-dist/package.json');
  const home = dirname(manifest);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const under = `assets/pdf-${version}/`;
  const sources = new Map([[worker, join(home, 'legacy/build/pdf.worker.min.mjs')]]);
  for (const folder of folders) {
    for (const name of readdirSync(join(home, folder))) sources.set(`${folder}/${name}`, join(home, folder, name));
  }
  return {
    name: 'vitrine-pdf-files',
    configureServer: (server) => {
      server.middlewares.use((request, response, next) => {
        const path = (request.url ?? '').split('?')[0] ?? '';
        const source = path.startsWith(`/${under}`) ? sources.get(path.slice(under.length + 1)) : undefined;
        if (source === undefined) return next();
        response.setHeader('Content-Type', source.endsWith('.mjs') ? 'text/javascript' : 'application/octet-stream');
        response.end(readFileSync(source));
      });
    },
    generateBundle() {
      if (!emit) return;
      for (const [name, source] of sources) {
        this.emitFile({ type: 'asset', fileName: under + name, source: readFileSync(source) });
      }
    },
  };
}
