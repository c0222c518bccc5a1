/** One run over every workspace; each keeps its own settings. */
import { defineConfig } from 'vitest/config';
import { SummaryReporter } from './tools/summary-reporter.ts';

export default defineConfig({
  test: {
    // The default leaves one processor idle.
    maxWorkers: '100%',
    // Cheaper than processes, by a tenth.
    pool: 'threads',
    projects: ['portal', 'viewer', 'packages/api', 'packages/brand', 'packages/player'],
    reporters: ['default', new SummaryReporter()],
  },
});
