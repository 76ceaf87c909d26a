import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['./test/support/before-all.ts'],
    // Tests mostly wait for the servers and browsers that they start, so that two cores serve two workers.
    maxWorkers: Math.max(2, Math.floor(availableParallelism() / 2)),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // In CI a test that passes on retry is listed as flaky; locally it fails, so it gets fixed.
    retry: process.env.CI === 'true' ? 1 : 0,
    reporters: ['default', './test/support/closing-line.ts'],
  },
});
