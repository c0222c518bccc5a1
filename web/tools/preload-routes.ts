/** Begins to load the files of the screen that is asked for together with the application, instead of after it. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

interface FirstScreen {
  /** Whether it is shown to people who are signed in. */
  signedIn: boolean;
  /** Addresses it is shown at; the first screen that fits is taken. */
  path: RegExp;
  /** Modules it consists of, as the router imports them. */
  modules: readonly string[];
}

interface PreloadOptions {
  /** The build's script that runs before everything else: one without a hash in its name, as no inline script is allowed. */
  script: string;
  /** The entry of the local storage that holds the session. */
  session: string;
  screens: readonly FirstScreen[];
}

/** Adds the files of each screen to the first script, which tells the browser to fetch them. */
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
          if (chunk === undefined) throw new Error(`no file of the build begins with ${module}`);
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
    // No storage, no session.
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
