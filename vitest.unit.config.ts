/** `npm run test:unit`: tests that start no processes, browsers or databases. There is no global setup, so nothing is built. */
import { defineConfig } from 'vitest/config';
import { findUnitTests } from './test/support/unit-tests.ts';
import { limits } from './vitest.config.ts';

export default defineConfig({
  test: { ...limits, include: findUnitTests(), reporters: ['default', './test/support/closing-line.ts'] },
});
