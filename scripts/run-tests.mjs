/**
 * Runs Vitest. In CI a file with failed tests runs once more, alone, after all others: in a new process with new servers, so
 * nothing that the first try left behind can break the second. A file that then passes is listed as flaky with its first
 * error; one that fails twice fails the run.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './set-up.mjs';

/** With more failures something is broken: a second run would only take time. */
export const MOST_RERUNS = 16;

/**
 * Returns whether all tests passed, if need be at the second try.
 * `runVitest(args)` returns `{ isPassed, counts, failures, strayErrors }`; each failed file is one `{ project, file, error }`.
 */
export function runTests(args, { runVitest, isCi, print = console.log }) {
  const first = runVitest(['run', ...args]);
  if (first.isPassed) return true;
  // Something else went wrong: an error outside of tests, or Vitest itself.
  const isElsewhere = first.failures.length === 0 || first.strayErrors > 0;
  if (!isCi || isElsewhere) return false;
  if (first.failures.length > MOST_RERUNS) {
    print(`\n${first.failures.length} files failed; at most ${MOST_RERUNS} are run again.`);
    return false;
  }
  print(`\n== ${first.failures.length} failed, each once more alone`);
  const second = first.failures.map((failure) => ({ ...failure, again: runAlone(failure, runVitest) }));
  const failed = second.reduce(
    (sum, { again }) => sum + (again.isPassed ? 0 : Math.max(1, again.counts?.failed ?? 0)),
    0,
  );
  for (const { project, file, error, again } of second) {
    print(`${again.isPassed ? 'flaky' : 'failed twice'}: ${project} ${file}: ${error}`);
  }
  const { counts } = first;
  print(`\n${counts.passed + counts.failed - failed} passed, ${failed} failed, ${counts.skipped} skipped`);
  return failed === 0;
}

function runAlone({ project, file }, runVitest) {
  return runVitest(['run', '--project', project, file]);
}

/** Runs Vitest in its own process. test/support/closing-line.ts writes the outcome. */
export function startVitest(args, node = process.execPath) {
  const folder = mkdtempSync(join(tmpdir(), 'fairline-outcome-'));
  const path = join(folder, 'outcome.json');
  try {
    const program = join(root, 'node_modules/vitest/vitest.mjs');
    const env = { ...process.env, TEST_OUTCOME: path };
    const { status } = spawnSync(node, [program, ...args], { cwd: root, stdio: 'inherit', env });
    const written = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { failures: [] };
    return { isPassed: status === 0, ...written };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
