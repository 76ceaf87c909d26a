/**
 * `npm test`: sets up what is missing, then checks everything: format and lint, types, generated pages, tests.
 * `npm test -- <words>` passes the words to Vitest and checks nothing else.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root, setUp } from './set-up.mjs';

setUp();

const words = process.argv.slice(2);
const checks = [
  ['format and lint', 'node_modules/@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.']],
  ['types', 'node_modules/typescript/bin/tsc', ['--noEmit']],
  ['types of the pages', 'node_modules/typescript/bin/tsc', ['--noEmit', '-p', 'src/pages']],
  ['generated pages', 'scripts/write-reference.mjs', ['--check']],
];
const tests = ['tests', 'node_modules/vitest/vitest.mjs', ['run', ...words]];

for (const [title, program, args] of words.length > 0 ? [tests] : [...checks, tests]) {
  console.log(`\n== ${title}`);
  const { status } = spawnSync(process.execPath, [join(root, program), ...args], { cwd: root, stdio: 'inherit' });
  if (status !== 0) {
    console.error(`\nnpm test: ${title} failed`);
    process.exit(status ?? 1);
  }
}
