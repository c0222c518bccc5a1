/** Tests of the portal: jsdom, one setup file, no network. */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    alias: {
      '~': fileURLToPath(new URL('./src', import.meta.url)),
    },
  },
  plugins: [react()],
  test: {
    name: 'portal',
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://127.0.0.1:8080/' } },
    setupFiles: ['./src/shared/testing/setup.ts'],
    css: false,
    // A busy machine needs more than the defaults.
    testTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
  },
});
