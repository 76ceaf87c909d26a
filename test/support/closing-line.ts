/**
 * A reporter that ends each run with one plain line: how many tests passed, failed and were skipped. Before it, it lists
 * the flaky tests, which passed only on a retry. `npm test` prints one line per version of Node; a suite that runs in two
 * projects counts twice.
 */
import type { Reporter, TestCase, TestModule } from 'vitest/node';

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    const flaky: TestCase[] = [];
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) counts[test.result().state] += 1;
      if (tests.length === 0) counts.failed += 1;
      flaky.push(...tests.filter((test) => test.diagnostic()?.flaky));
    }
    if (flaky.length > 0) console.log(`\n${flaky.map(toLine).join('\n')}`);
    console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped + counts.pending} skipped`);
  }
}

function toLine(test: TestCase): string {
  const [why = ''] = (test.result().errors?.[0]?.message ?? '').split('\n');
  return `flaky: ${test.project.name} ${test.module.relativeModuleId} > ${test.fullName}: ${why}`;
}
