/**
 * A reporter that ends each run with one plain line: how many tests passed, failed and were skipped. Before it come the
 * tests that passed only at their second try, so that nobody overlooks them. The line is for one run: `npm test` prints
 * one per version of Node, and a suite that runs in two projects counts twice.
 */
import type { Reporter, TestCase, TestModule } from 'vitest/node';

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    const unsteady: TestCase[] = [];
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) counts[test.result().state] += 1;
      if (tests.length === 0) counts.failed += 1;
      unsteady.push(...tests.filter((test) => test.diagnostic()?.flaky));
    }
    if (unsteady.length > 0) console.log(`\n${unsteady.map(toLine).join('\n')}`);
    const skipped = counts.skipped + counts.pending;
    console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${skipped} skipped`);
  }
}

function toLine(test: TestCase): string {
  const [why = ''] = (test.result().errors?.[0]?.message ?? '').split('\n');
  return `unsteady: ${test.project.name} ${test.module.relativeModuleId} > ${test.fullName}: ${why}`;
}
