/** Preact in place of React: the same interface in a sixth of the size, so that the app loads fast on a phone. */
import { fileURLToPath } from 'node:url';

/** Aliases for the build and the tests. */
export const preact = [
  { find: /^react(-dom)?$/, replacement: 'preact/compat' },
  { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
  { find: /^react-dom\/test-utils$/, replacement: 'preact/test-utils' },
  { find: /^react\/jsx(-dev)?-runtime$/, replacement: 'preact/jsx-runtime' },
  {
    find: /^use-sync-external-store\/shim\/with-selector(\.js)?$/,
    replacement: fileURLToPath(new URL('./with-selector.ts', import.meta.url)),
  },
];
