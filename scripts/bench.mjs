/**
 * `npm run bench [-- --quick] [name …]`: runs all or the named benchmarks, prints one table of the results and stores them,
 * with a description of the machine, in bench/results/{name}.json. `npm run docs` writes the README's table from these files.
 * `--quick` only checks that the benchmarks run, and stores nothing.
 */
import { execFileSync, fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { findChromium } from './find-chromium.mjs';
import { root, setUp } from './set-up.mjs';

const all = [
  'line',
  'http',
  'crowd',
  'tokens',
  'fast-path',
  'sse',
  'redis',
  'draw',
  'estimate',
  'tier1',
  'gate',
  'attacks',
  'shop',
  'pages',
  'records',
  'notices',
];
const words = process.argv.slice(2);
const isQuick = words.includes('--quick');
const names = words.filter((word) => word !== '--quick');
const unknown = names.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown benchmark: ${unknown.join(', ')}. Expected: ${all.join(', ')}.`);
  process.exit(2);
}

setUp();
const machine = describeMachine();
console.log(`Node ${machine.node}, ${machine.cores} x ${machine.cpu}, load ${machine.loadAverage.join(', ')}`);
const table = [];
const failed = [];
for (const name of names.length > 0 ? names : all) {
  console.log(`\n== ${name}`);
  const startedAt = new Date().toISOString();
  const loadAverage = loads();
  const rows = await run(name);
  table.push(...rows);
  if (!isQuick && rows.length > 0 && !failed.includes(name))
    store(name, { name, startedAt, machine: { ...machine, loadAverage }, rows });
}
console.log(isQuick ? '\n== all (quick: the figures are meaningless)' : '\n== all');
console.table(
  table.map(({ what, unit, ours, naive, floor, toNaive, toFloor }) => ({
    what,
    ours: `${ours} ${unit}`,
    naive: naive ?? '',
    floor: floor ?? '',
    'to naive': toNaive ?? '',
    'to floor': toFloor ?? '',
  })),
);
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(', ')}`);
  process.exitCode = 1;
}

/** The rows that the benchmark reported. */
function run(name) {
  return new Promise((resolve) => {
    const rows = [];
    const program = join(root, `dist/bench/${name}.js`);
    const env = { ...process.env, CHROMIUM: findChromium() ?? '' };
    const child = fork(program, isQuick ? ['--quick'] : [], { execArgv: ['--expose-gc'], env });
    child.on('message', (found) => rows.push(...found));
    child.once('exit', (code) => {
      // Continue with the other benchmarks.
      if (code !== 0) failed.push(name);
      resolve(rows);
    });
  });
}

function store(name, result) {
  const folder = join(root, 'bench/results');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
}

function describeMachine() {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    os: `${type()} ${release()} ${arch()}${firstLine('sh', ['-c', '. /etc/os-release && echo ", $PRETTY_NAME"']) ?? ''}`,
    node: process.versions.node,
    redis: firstLine('redis-server', ['--version'])?.match(/v=(\S+)/)?.[1],
    postgres: firstLine('sh', ['-c', 'ls /usr/lib/postgresql | sort -n | tail -1']),
    commit: firstLine('git', ['-C', root, 'describe', '--always', '--dirty']),
    loadAverage: loads(),
  };
}

function loads() {
  return loadavg().map((load) => Number(load.toFixed(2)));
}

/** The first line of a program's output; undefined if it is not installed. */
function firstLine(program, args) {
  try {
    const output = execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return output.trim().split('\n')[0] || undefined;
  } catch {
    return undefined;
  }
}
