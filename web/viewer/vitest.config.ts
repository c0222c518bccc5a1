/** Tests of the viewer app: jsdom, one setup file, no network. */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    alias: {
      '~': fileURLToPath(new URL('./src', import.meta.url)),
      'virtual:pwa-register/react': fileURLToPath(new URL('./src/shared/testing/pwa-register.ts', import.meta.url)),
    },
  },
  plugins: [react()],
  test: {
    name: 'viewer',
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://127.0.0.1:8080/app/' } },
    setupFiles: ['./src/shared/testing/setup.ts'],
    css: false,
    // A busy machine needs more than the defaults.
    testTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
  },
});
