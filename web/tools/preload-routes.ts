/** Preloads the files of the requested screen in parallel with the application instead of after it. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

interface FirstScreen {
  /** Whether the screen requires a session; the others are for people without one. */
  signedIn: boolean;
  /** Paths of the screen; the first match wins. */
  path: RegExp;
  /** Modules that the router imports for the screen, as path suffixes. */
  modules: readonly string[];
}

interface PreloadOptions {
  /** The script of the build that runs first. Its name has no hash, and inline scripts are not allowed. */
  script: string;
  /** The localStorage key of the session. */
  session: string;
  screens: readonly FirstScreen[];
}

/** Appends a table of each screen's files to the first script, which preloads the matching ones. */
export function preloadRoutes({ script, session, screens }: PreloadOptions): Plugin {
  return {
    name: 'preload-routes',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const files = (chunk: (typeof chunks)[number], seen: Set<string>) => {
        if (seen.has(chunk.fileName)) return seen;
        seen.add(chunk.fileName);
        for (const style of chunk.viteMetadata?.importedCss ?? []) seen.add(style);
        for (const next of chunks) if (chunk.imports.includes(next.fileName)) files(next, seen);
        return seen;
      };
      const entry = chunks.find(({ isEntry }) => isEntry);
      const known = entry === undefined ? new Set<string>() : files(entry, new Set());
      const table = screens.map(({ signedIn, path, modules }) => {
        const needed = new Set<string>();
        for (const module of modules) {
          const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
          if (chunk === undefined) throw new Error(`no chunk of the build has the entry ${module}`);
          files(chunk, needed);
        }
        return [signedIn, path.source, [...needed].filter((file) => !known.has(file))];
      });
      appendFileSync(join(dir, script), `(${begin})(${JSON.stringify(session)}, ${JSON.stringify(table)});\n`);
    },
  };
}

/** Runs in the browser. */
function begin(session: string, screens: [boolean, string, string[]][]): void {
  let signedIn = false;
  try {
    signedIn = localStorage.getItem(session) !== null;
  } catch {
    // Storage is blocked, so there is no session.
  }
  const screen = screens.find(([who, path]) => who === signedIn && new RegExp(path).test(location.pathname));
  for (const file of screen?.[2] ?? []) {
    const link = document.createElement('link');
    if (file.endsWith('.css')) {
      link.rel = 'preload';
      link.as = 'style';
    } else link.rel = 'modulepreload';
    link.href = `/${file}`;
    document.head.append(link);
  }
}
