/** Tests of the viewer app: jsdom, one setup file, no network. */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { preact } from './preact/aliases.ts';

export default defineConfig({
  resolve: {
    alias: [
      { find: '~', replacement: fileURLToPath(new URL('./src', import.meta.url)) },
      {
        find: 'virtual:pwa-register/react',
        replacement: fileURLToPath(new URL('./src/shared/testing/pwa-register.ts', import.meta.url)),
      },
      ...preact,
      // Its module form imports React by names that the aliases above replace.
      { find: /^@testing-library\/react$/, replacement: '@testing-library/react/dist/@testing-library/react.esm.js' },
    ],
  },
  plugins: [react()],
  test: {
    name: 'viewer',
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://127.0.0.1:8080/app/' } },
    setupFiles: ['./src/shared/testing/setup.ts'],
    css: false,
    // Processed by Vite, so that they see Preact as the build does.
    server: { deps: { inline: [/@tanstack/, /@testing-library\/react/] } },
    // A busy machine needs more than the defaults.
    testTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
  },
});
