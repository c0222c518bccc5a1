/**
 * Begins the requested screen while the application loads: its files are preloaded, its queries are sent, and a placeholder
 * shaped like it is shown. Without this, they start one after the other.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { createServer, type Plugin, type ResolvedConfig } from 'vite';

interface FirstScreen {
  /** Whether the screen requires a session; the others are for people without one. */
  signedIn: boolean;
  /** Paths of the screen, in any case; the first match wins. */
  path: RegExp;
  /** Modules that the router imports for the screen, as path suffixes. */
  modules: readonly string[];
  /** API paths that the screen reads; `$1` is the first group of `path`. */
  queries?: readonly string[];
  /** Name of the placeholder. */
  placeholder?: string;
}

interface FirstScreenOptions {
  /** The script of the build that runs first. Its name has no hash, and inline scripts are not allowed. */
  script: string;
  /** The localStorage key of the session. */
  session: string;
  /** The module that exports `renderPlaceholders`; `failed` is shown if the application's files cannot be loaded. */
  placeholders: string;
  /** The localStorage key of a collapsed sidebar, which has its own placeholder. */
  collapsed: string;
  screens: readonly FirstScreen[];
}

/** One screen as the script has it: whether it needs a session, its path, files, queries and placeholder. */
type Entry = [boolean, string, string[], readonly string[], string];

/** Appends a table of the first screens to the script that runs first. */
export function firstScreens({ script, session, placeholders, collapsed, screens }: FirstScreenOptions): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'first-screens',
    apply: 'build',
    configResolved(resolved) {
      config = resolved;
    },
    async writeBundle({ dir = '' }, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const files = (chunk: (typeof chunks)[number], seen: Set<string>) => {
        if (seen.has(chunk.fileName)) return seen;
        seen.add(chunk.fileName);
        for (const style of chunk.viteMetadata?.importedCss ?? []) seen.add(style);
        for (const next of chunks) if (chunk.imports.includes(next.fileName)) files(next, seen);
        return seen;
      };
      const styles = Object.values(bundle).flatMap((file) =>
        file.type === 'asset' && file.fileName.endsWith('.css') ? [String(file.source)] : [],
      );
      const rendered = await renderAll(config, placeholders, styles.join('\n'));
      for (const { placeholder } of screens) {
        if (placeholder !== undefined && !(placeholder in rendered.html))
          throw new Error(`no placeholder ${placeholder}`);
      }
      const hash = createHash('sha256').update(rendered.styles).digest('base64url').slice(0, 8);
      const stylesheet = `assets/placeholders-${hash}.css`;
      writeFileSync(join(dir, stylesheet), rendered.styles);
      const entry = chunks.find(({ isEntry }) => isEntry);
      const known = entry === undefined ? new Set<string>() : files(entry, new Set());
      const table = screens.map(({ signedIn, path, modules, queries = [], placeholder = '' }): Entry => {
        const needed = new Set<string>();
        for (const module of modules) {
          const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
          if (chunk === undefined) throw new Error(`no chunk of the build has the entry ${module}`);
          files(chunk, needed);
        }
        if (placeholder !== '') needed.add(stylesheet);
        return [signedIn, path.source, [...needed].filter((file) => !known.has(file)), queries, placeholder];
      });
      const values = [session, table, rendered.html, collapsed].map((value) => JSON.stringify(value)).join(', ');
      appendFileSync(join(dir, script), `(${begin})(${values});\n`);
    },
  };
}

interface Placeholders {
  /** The styles that the components render, most of which the placeholders have in common. */
  styles: string;
  html: Record<string, string>;
}

/** Renders each placeholder with the application's own components. */
async function renderAll({ root, resolve }: ResolvedConfig, module: string, styles: string): Promise<Placeholders> {
  const server = await createServer({
    configFile: false,
    root,
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, watch: null, ws: false },
    optimizeDeps: { noDiscovery: true },
    resolve: { alias: resolve.alias },
    plugins: [react()],
  });
  try {
    const { renderPlaceholders } = (await server.ssrLoadModule(module)) as {
      renderPlaceholders(): Record<string, string>;
    };
    const shared = new Set<string>();
    const rendered: Record<string, string> = {};
    for (const [placeholder, html] of Object.entries(renderPlaceholders())) {
      for (const [, classes = ''] of html.matchAll(/ class="([^"]*)"/g)) {
        // Mantine's static classes have no styles of their own.
        for (const name of classes.split(' ').filter((each) => !each.startsWith('mantine-'))) {
          if (!`${styles}${html}`.includes(`.${name}`))
            throw new Error(`the build has no styles for .${name} of ${placeholder}`);
        }
      }
      rendered[placeholder] = html.replace(/<style[^>]*>(.*?)<\/style>/gs, (_, style: string) => {
        shared.add(style);
        return '';
      });
    }
    return { styles: [...shared].join('\n'), html: rendered };
  } finally {
    await server.close();
  }
}

/** Runs in the browser. */
function begin(session: string, screens: Entry[], placeholders: Record<string, string>, collapsed: string): void {
  let token: string | null = null;
  try {
    token = JSON.parse(localStorage.getItem(session) ?? '{}').accessToken ?? null;
  } catch {
    // Storage is blocked or unreadable, so there is no session.
  }
  const rendered = () => document.querySelector('#root :not(style)') !== null;
  const show = (html: string) => {
    document.getElementById('placeholder')?.remove();
    const place = document.createElement('div');
    place.id = 'placeholder';
    place.innerHTML = html;
    document.body.append(place);
    // Called after the application has rendered and before the browser paints, so that never both are visible.
    const observer = new MutationObserver(() => {
      if (!rendered()) return;
      observer.disconnect();
      place.remove();
    });
    observer.observe(document.body, { childList: true, subtree: true });
  };
  const onError = (event: Event) => {
    if (event.target instanceof HTMLScriptElement) show(placeholders.failed ?? '');
  };
  // Errors of elements do not bubble.
  document.addEventListener('error', onError, true);
  for (const [signedIn, path, files, queries, placeholder] of screens) {
    const match = signedIn === (token !== null) ? new RegExp(path, 'i').exec(location.pathname) : null;
    if (match === null) continue;
    const styles = [];
    for (const file of files) {
      const link = document.createElement('link');
      if (file.endsWith('.css')) {
        link.rel = 'stylesheet';
        styles.push(new Promise((done) => link.addEventListener('load', done)));
        // The application's own import then loads it again, and reports a failure.
        link.addEventListener('error', () => link.remove());
      } else link.rel = 'modulepreload';
      link.crossOrigin = '';
      link.href = `/${file}`;
      document.head.append(link);
    }
    if (queries.length > 0) {
      const answers: Record<string, Promise<Response>> = {};
      for (const query of queries) {
        const url = query.replace('$1', match[1] ?? '');
        const answer = fetch(url, { headers: { Authorization: `Bearer ${token}` } });
        // The application reports the failure.
        answer.catch(() => undefined);
        answers[url] = answer;
      }
      Object.assign(window, { vitrineStarted: { token, answers } });
    }
    // There is no session without storage, and without a session no sidebar.
    const narrow = signedIn && localStorage.getItem(collapsed) === 'true';
    const html = placeholders[narrow ? `${placeholder}Collapsed` : placeholder];
    if (html === undefined) return;
    const parsed = new Promise((done) => {
      document.addEventListener('readystatechange', done, { once: true });
    });
    Promise.all([parsed, ...styles]).then(() => {
      if (!rendered() && document.getElementById('placeholder') === null) show(html);
    });
    return;
  }
}
