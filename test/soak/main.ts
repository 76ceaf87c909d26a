/** `npm run soak`: one run with a verdict. Exit code 0 if no promise was broken, 1 if one was, 2 for a wrong option. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readHistory } from './history.ts';
import { readOptions, type SoakOptions, USAGE, UsageError } from './options.ts';
import { judge } from './oracle/judge.ts';
import { runSoak } from './soak.ts';
import { createVerdict, describeVerdict, type Verdict } from './verdict.ts';

export async function main(words: readonly string[]): Promise<number> {
  if (words.includes('--help')) {
    process.stdout.write(USAGE);
    return 0;
  }
  let options: SoakOptions;
  try {
    options = readOptions(words, mkdtempSync(join(tmpdir(), 'fairline-soak-run-')));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n\n${USAGE}`);
    return 2;
  }
  const startedAt = Date.now();
  const say = (text: string) => {
    const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
    process.stdout.write(`${seconds.padStart(7)} s  ${text}\n`);
  };
  const verdict = options.judge === undefined ? await runSoak(options, say) : await judgeAgain(options.judge);
  const text = describeVerdict(verdict);
  writeFileSync(join(options.folder, 'verdict.txt'), `${text}\n`);
  writeFileSync(join(options.folder, 'verdict.json'), `${JSON.stringify(verdict, null, 1)}\n`);
  process.stdout.write(`\n${text}\n\nhistory and verdict: ${options.folder}\n`);
  return verdict.violations.length === 0 ? 0 : 1;
}

async function judgeAgain(path: string): Promise<Verdict> {
  const history = await readHistory(path);
  return createVerdict(history, judge(history));
}
