/** Tests of the player: pure logic and the rendered surfaces, in jsdom. */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react()],
  test: {
    name: 'player',
    environment: 'jsdom',
    css: false,
    include: ['src/**/*.test.{ts,tsx}'],
    // A busy machine needs more than the default.
    testTimeout: 60_000,
  },
});
