/** Tests of colors, contrast and image sizes. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'brand',
    environment: 'node',
    // Otherwise style sheets are empty.
    css: true,
    include: ['src/**/*.test.ts'],
  },
});
