/** Tests of the client: a browser-like page, no network. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'api',
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://127.0.0.1:8080/' } },
    // A busy machine needs more than the default.
    testTimeout: 60_000,
  },
});
