/**
 * For `scripts/mutants.mjs`, in a copy of the tree: nothing is built or installed before the tests, no test is tried twice,
 * and a mutant that makes a test hang does not hold up the others for long.
 */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // node_modules is a link to that of the checkout.
  cacheDir: '.vite',
  test: {
    dir: 'test',
    include: ['**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 5_000,
    maxWorkers: 1,
    retry: 0,
  },
});
