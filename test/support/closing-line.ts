/**
 * A reporter that ends each run with one plain line: how many tests passed, failed and were skipped. A suite that runs in two
 * projects counts twice. If TEST_OUTCOME names a file, it writes there what scripts/run-tests.mjs needs to run failed files again.
 */
import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], strayErrors: readonly SerializedError[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) counts[test.result().state] += 1;
      if (tests.length === 0) counts.failed += 1;
    }
    const { passed, failed } = counts;
    const skipped = counts.skipped + counts.pending;
    const failures = modules.filter((module) => module.state() === 'failed').map(toFailure);
    if (process.env.TEST_OUTCOME !== undefined) {
      const outcome = { counts: { passed, failed, skipped }, failures, strayErrors: strayErrors.length };
      writeFileSync(process.env.TEST_OUTCOME, JSON.stringify(outcome));
    }
    console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
  }
}

function toFailure(module: TestModule) {
  const failed = [...module.children.allTests('failed')][0];
  const suite = [...module.children.allSuites()].find((one) => one.errors().length > 0);
  const [error] = failed?.result().errors ?? suite?.errors() ?? module.errors();
  const [why = ''] = (error?.message ?? '').split('\n');
  const name = (failed ?? suite)?.fullName;
  return {
    project: module.project.name,
    file: module.relativeModuleId,
    error: name === undefined ? why : `${name}: ${why}`,
  };
}
