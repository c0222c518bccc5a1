// Two real builds of the portal that differ like two releases: in version and file names.
import { mkdtemp } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const portal = resolve(import.meta.dirname, "../../web/portal");

interface Vite {
  build(options: object): Promise<unknown>;
}

export interface Release {
  folder: string;
  version: string;
}

/** Builds the portal with the given version into its own folder. */
export async function release(version: string): Promise<Release> {
  const vite = (await import(
    pathToFileURL(createRequire(join(portal, "package.json")).resolve("vite")).href
  )) as Vite;
  const folder = await mkdtemp(join(tmpdir(), "vitrine-portal-"));
  let stamped = false;
  const stamp = {
    name: "version-of-the-journey",
    enforce: "pre",
    transform(code: string, id: string) {
      if (!id.endsWith("/shared/lib/product.ts")) return null;
      stamped = true;
      return code.replace(/(VERSION = ')[^']+'/, `$1${version}'`);
    },
  };
  const named = { chunkFileNames: `assets/[name]-${version}-[hash].js`, entryFileNames: `assets/[name]-${version}-[hash].js` };
  await vite.build({
    root: portal,
    logLevel: "error",
    plugins: [stamp],
    build: { outDir: folder, emptyOutDir: true, rolldownOptions: { output: named } },
  });
  if (!stamped) throw new Error("the version of the portal is no longer where this build stamps it");
  return { folder, version };
}
