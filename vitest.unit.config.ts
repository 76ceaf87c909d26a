/**
 * `npm run test:unit`: tests that start no processes, browsers or databases, without those that take many seconds. There is no
 * global setup, so nothing is built.
 */
import { defineConfig } from 'vitest/config';
import { findUnitTests } from './test/support/unit-tests.ts';
import { limits, maxWorkers, sharedProgram } from './vitest.config.ts';

/** Long random histories and large crowds. `npm test` runs them. */
const slow = [
  'test/line/rules.test.ts',
  'test/line/draw-rules.test.ts',
  'test/line/large-draw.test.ts',
  'test/line/lanes.test.ts',
  'test/platform/journal/journal.test.ts',
  'test/simulate/sales.test.ts',
];

export default defineConfig({
  test: {
    ...limits,
    maxWorkers,
    ...sharedProgram,
    include: findUnitTests(),
    exclude: slow,
    reporters: ['default', './test/support/closing-line.ts'],
  },
});
