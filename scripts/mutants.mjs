/**
 * `npm run mutants [-- --workers N] [name …]`: breaks the program on purpose, one promise at a time, and shows which test
 * notices. The breaks are in test/mutants/. Each is applied to a copy of the tree, never to the tree itself.
 *
 * The named tests first run unbroken: a test that fails anyway has noticed nothing. Exits with 1 if a break survives.
 */
import { execFileSync, spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { mutants } from '../test/mutants/all.mjs';
import { root, setUp } from './set-up.mjs';

const LIMIT_MS = 180_000;
const UNBROKEN_LIMIT_MS = 1_200_000;

const { values, positionals } = parseArgs({
  options: { workers: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const workers = Number(values.workers);
if (!Number.isInteger(workers) || workers < 1)
  fail(`--workers is ${values.workers}; expected a whole number from 1 on.`);
const unknown = positionals.filter((name) => !mutants.some((mutant) => mutant.name === name));
if (unknown.length > 0) fail(`Unknown mutant: ${unknown.join(', ')}. The names are in test/mutants/.`);
const chosen = positionals.length === 0 ? mutants : mutants.filter(({ name }) => positionals.includes(name));

// Tests use the built pages and the worker of the embedded database; no mutant changes these.
setUp();
const folders = Array.from({ length: Math.min(workers, chosen.length) }, copyTree);
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

console.log(`${chosen.length} mutants. First the tests that should catch them, unbroken …`);
const unbroken = await runTests(folders[0], uniqueTests(chosen.flatMap(({ tests }) => tests)), UNBROKEN_LIMIT_MS);
const sound = new Set(unbroken.passed.map(({ id }) => id));
for (const { title } of unbroken.failed) console.log(`  fails without a mutant: ${title}`);
console.log(`  ${sound.size} tests pass in ${seconds(unbroken.ms)} s\n`);

const queue = [...chosen];
const results = new Map();
await Promise.all(folders.map(work));
report();

async function work(folder) {
  for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
    const result = await tryMutant(mutant, folder);
    results.set(mutant, result);
    console.log(`${result.verdict.padEnd(9)} ${mutant.name} (${seconds(result.ms)} s)\n          ${result.why}`);
  }
}

async function tryMutant({ file, find, replace, tests }, folder) {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  const parts = text.split(find);
  if (parts.length !== 2) {
    return { verdict: 'outdated', why: `${file} has the text to replace ${parts.length - 1} times`, ms: 0 };
  }
  writeFileSync(path, parts.join(replace));
  try {
    const { failed, passed, hasEnded, output, ms } = await runTests(folder, tests, LIMIT_MS);
    const caught = failed.filter(({ id }) => sound.has(id));
    if (caught.length > 0) return { verdict: 'caught', why: describeCatch(caught[0]), ms };
    if (!hasEnded) return { verdict: 'TIMED OUT', why: `no result within ${seconds(LIMIT_MS)} s`, ms };
    if (passed.length > 0) return { verdict: 'SURVIVED', why: `${passed.length} tests pass: a test is missing`, ms };
    return { verdict: 'NOT RUN', why: failed[0]?.title ?? `no test ran: ${output.slice(-500)}`, ms };
  } finally {
    writeFileSync(path, text);
  }
}

/** Runs the tests with these titles. A file that cannot be loaded has no tests and so catches nothing. */
async function runTests(folder, tests, limitMs) {
  const outputFile = join(folder, 'results.json');
  rmSync(outputFile, { force: true });
  const files = [...new Set(tests.map(({ file }) => file))];
  const pattern = tests.map(
    ({ within, title }) => `${within === undefined ? '' : `${escapePattern(within)}.*`}${escapePattern(title)}`,
  );
  const startedAt = performance.now();
  const { hasEnded, output } = await runVitest(folder, limitMs, [
    'run',
    '--config=test/mutants/vitest.config.ts',
    '--root=.',
    '--reporter=json',
    `--outputFile=${outputFile}`,
    `--testNamePattern=${pattern.join('|')}`,
    ...files,
  ]);
  const ms = performance.now() - startedAt;
  const found = existsSync(outputFile) ? JSON.parse(readFileSync(outputFile, 'utf8')).testResults : [];
  const all = found.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, title, status, failureMessages }) => {
      const file = name.slice(name.indexOf('/test/') + 1);
      return { id: `${file} ${fullName}`, file, title, status, message: failureMessages?.[0] ?? '' };
    }),
  );
  const withStatus = (wanted) => all.filter(({ status }) => status === wanted);
  return { passed: withStatus('passed'), failed: withStatus('failed'), hasEnded, output, ms };
}

function runVitest(folder, limitMs, args) {
  return new Promise((resolve) => {
    const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
    const env = { ...process.env, CI: '', FORCE_COLOR: '0' };
    // In a process group of its own, so that the servers of tests end with it.
    const child = spawn(process.execPath, [vitest, ...args], { cwd: folder, env, detached: true });
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-10_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const endGroup = () => {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // Nothing of it is left.
      }
    };
    process.once('exit', endGroup);
    let hasEnded = true;
    const timer = setTimeout(() => {
      hasEnded = false;
      endGroup();
    }, limitMs);
    child.once('close', () => {
      clearTimeout(timer);
      process.off('exit', endGroup);
      endGroup();
      resolve({ hasEnded, output });
    });
  });
}

/** The files that git knows or would add, and links to what is installed and built. */
function copyTree() {
  const folder = mkdtempSync(join(tmpdir(), 'fairline-mutants-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const path of listed.split('\0').filter((name) => name !== '' && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(join(root, path), join(folder, path));
  }
  for (const name of ['node_modules', 'dist']) symlinkSync(join(root, name), join(folder, name));
  return folder;
}

/** With the first line of the failure: a test that only ran out of time may be the fault of a busy machine. */
function describeCatch({ title, file, message }) {
  return `by "${title}" in ${file}: ${message.split('\n')[0].slice(0, 120)}`;
}

function uniqueTests(tests) {
  return [...new Map(tests.map((test) => [JSON.stringify(test), test])).values()];
}

function report() {
  const rows = chosen.map((mutant) => [mutant, results.get(mutant)]);
  const caught = rows.filter(([, { verdict }]) => verdict === 'caught');
  const width = Math.max(...chosen.map(({ name }) => name.length));
  console.log(`\n${'mutant'.padEnd(width)}  breaks`);
  for (const [{ name, page, invariant }, { verdict, why }] of rows) {
    const promise = `${page}${invariant === undefined ? '' : `, invariant ${invariant}`}`;
    console.log(`${name.padEnd(width)}  ${promise}\n${' '.repeat(width)}  ${verdict} ${why}`);
  }
  console.log(`\n${caught.length} of ${rows.length} mutants caught`);
  if (caught.length < rows.length) process.exitCode = 1;
}

function escapePattern(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function seconds(ms) {
  return Math.round(ms / 1000);
}

function fail(message) {
  console.error(message);
  process.exit(2);
}
