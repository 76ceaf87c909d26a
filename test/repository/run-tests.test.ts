import { describe, expect, it } from 'vitest';
import { MOST_RERUNS, type Outcome, runTests } from '../../scripts/run-tests.mjs';

const passed: Outcome = { isPassed: true, counts: { passed: 10, failed: 0, skipped: 1 }, failures: [], strayErrors: 0 };

function failedIn(...files: string[]): Outcome {
  const failures = files.map((file) => ({ project: 'servers', file, error: `${file} broke` }));
  return { isPassed: false, counts: { passed: 9, failed: files.length, skipped: 1 }, failures, strayErrors: 0 };
}

/** Vitest gives these outcomes in turn. */
function run(outcomes: Outcome[], isCi = true) {
  const runs: string[] = [];
  const lines: string[] = [];
  const runVitest = (args: string[]) => {
    runs.push(args.join(' '));
    return outcomes.shift()!;
  };
  const isPassed = runTests(['test/line'], { runVitest, isCi, print: (line) => lines.push(line) });
  return { isPassed, runs, output: lines.join('\n') };
}

describe('tests in CI', () => {
  it('run once if they pass', () => {
    expect(run([passed])).toEqual({ isPassed: true, runs: ['run test/line'], output: '' });
  });

  it('pass if each failed file passes alone, and name it as flaky with its first error', () => {
    const { isPassed, runs, output } = run([failedIn('a.test.ts', 'b.test.ts'), passed, passed]);
    expect(isPassed).toBe(true);
    expect(runs.slice(1)).toEqual(['run --project servers a.test.ts', 'run --project servers b.test.ts']);
    expect(output).toContain('flaky: servers a.test.ts: a.test.ts broke\nflaky: servers b.test.ts: b.test.ts broke');
    expect(output).toMatch(/^11 passed, 0 failed, 1 skipped$/m);
  });

  it('fail if a file fails twice', () => {
    const { isPassed, output } = run([failedIn('a.test.ts', 'b.test.ts'), passed, failedIn('b.test.ts')]);
    expect(isPassed).toBe(false);
    expect(output).toContain('flaky: servers a.test.ts');
    expect(output).toContain('failed twice: servers b.test.ts');
    expect(output).toMatch(/^10 passed, 1 failed, 1 skipped$/m);
  });

  it('fail at once after too many failures, an error outside of tests, or a crash of Vitest', () => {
    const many = failedIn(...Array.from({ length: MOST_RERUNS + 1 }, (_, i) => `${i}.test.ts`));
    const crashed: Outcome = { isPassed: false, failures: [] };
    for (const outcome of [many, { ...failedIn('a.test.ts'), strayErrors: 1 }, crashed]) {
      expect(run([outcome])).toMatchObject({ isPassed: false, runs: ['run test/line'] });
    }
  });

  it('fail at once at home', () => {
    expect(run([failedIn('a.test.ts')], false)).toMatchObject({ isPassed: false, runs: ['run test/line'] });
  });
});
