import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { findUnitTests } from './test/support/unit-tests.ts';

/** Suites of endpoints on the fast path. They run twice: through the framework, and through the fast path. */
const doors = [
  'test/line/http/**/*.test.ts',
  'test/tier1/http/**/*.test.ts',
  'test/gate/verify-route.test.ts',
  'test/operations/overview.test.ts',
  'test/attacks/proof-of-work.test.ts',
  'test/attacks/identities.test.ts',
];

const unitTests = findUnitTests();

/** A worker's tests also start servers and browsers. With more workers than cores, timeouts of stores fail tests. */
export const maxWorkers = Math.max(2, Math.floor(availableParallelism() / 2));

export const limits = { testTimeout: 60_000, hookTimeout: 60_000 };

/** Unit tests change no global state. Loading the whole program for each file would take most of the time. */
export const sharedProgram = { pool: 'threads' as const, isolate: false };

/** The same for tests with servers. They need a real process: signals, and an exit that ends what a test left running. */
const sharedProcess = { pool: 'forks' as const, isolate: false };

export default defineConfig({
  test: {
    maxWorkers,
    reporters: ['default', './test/support/closing-line.ts'],
    projects: [
      { test: { ...limits, ...sharedProgram, name: 'unit', include: unitTests } },
      {
        test: {
          ...limits,
          ...sharedProcess,
          name: 'servers',
          include: ['test/**/*.test.ts'],
          exclude: unitTests,
          globalSetup: ['./test/support/before-all.ts'],
        },
      },
      {
        test: { ...limits, ...sharedProgram, name: 'fast path', include: doors, env: { TEST_TRANSPORT: 'http' } },
      },
    ],
  },
});
