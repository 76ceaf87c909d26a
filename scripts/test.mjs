/**
 * `npm test` installs and builds what is missing, then checks everything: format and lint, types, generated pages, all
 * tests, and the tests that depend on the version of Node again on other versions.
 *
 *   npm test -- --nodes      installs the other versions of Node if they are missing (CI=true does too)
 *   npm test -- <words>      passes the words to Vitest and checks nothing else
 *   npm run test:unit        only tests that start no processes, browsers or databases
 *   npm run test:watch       runs tests again when a file changes
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { findNode, installNode, nodeVersions } from './node-versions.mjs';
import { runTests, startVitest } from './run-tests.mjs';
import { root, setUp } from './set-up.mjs';

const VITEST = 'node_modules/vitest/vitest.mjs';

/** Suites that depend on the version of Node: HTTP internals, crypto and streams. */
const nodeSuites = [
  'test/platform/fast-http',
  'test/platform/jwt',
  'test/gate',
  'test/attacks/gate-proxy',
  'test/attacks/proxy-',
  'test/attacks/error-shape',
  'test/attacks/token',
];
/** These start other servers or browsers, or test a store: neither depends on the version of Node. */
const notForNodes = [
  'test/gate/nginx.test.ts',
  'test/gate/caddy.test.ts',
  'test/gate/journey.test.ts',
  'test/gate/sessions/gates.test.ts',
  'test/gate/access/access-store.test.ts',
];
/** The endpoints on the fast path through Node's HTTP parser, then the other suites. */
const nodeRuns = [
  ['--project', 'fast path'],
  [...['unit', 'servers'].flatMap((name) => ['--project', name]), ...nodeSuites, ...notForNodes.flatMap(exclude)],
];

const isCi = process.env.CI === 'true';
const words = process.argv.slice(2);
setUp();

if (words[0] === '--unit') {
  finish(runStep('unit tests', VITEST, ['run', '--config', 'vitest.unit.config.ts', ...words.slice(1)]));
} else if (words[0] === '--watch') {
  finish(runStep('tests', VITEST, ['watch', ...words.slice(1)]));
} else if (words.length > 0 && words[0] !== '--nodes') {
  finish(runStep('tests', VITEST, ['run', ...words]));
} else {
  runAll();
  runOnOtherNodes();
}

function runAll() {
  const steps = [
    ['format and lint', 'node_modules/@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.']],
    ['types', 'node_modules/typescript/bin/tsc', ['--noEmit']],
    ['types of the pages', 'node_modules/typescript/bin/tsc', ['--noEmit', '-p', 'src/pages']],
    ['generated pages', 'scripts/write-reference.mjs', ['--check']],
  ];
  for (const [title, program, args] of steps) {
    if (!runStep(title, program, args)) fail(title);
  }
  runTestsOn(process.execPath, process.versions.node, []);
}

function runTestsOn(node, version, args) {
  const title = `tests on Node ${version}`;
  console.log(`\n== ${title}`);
  if (!runTests(args, { isCi, runVitest: (words) => startVitest(words, node) })) fail(title);
}

function runOnOtherNodes() {
  const summary = [];
  for (const version of nodeVersions) {
    const node = isCi || words.includes('--nodes') ? installOrFail(version) : findNode(version);
    if (node === undefined) {
      summary.push(`Node ${version}: skipped, not installed (install it with: npm test -- --nodes)`);
      continue;
    }
    for (const args of nodeRuns) runTestsOn(node, version, args);
    summary.push(`Node ${version}: passed (the fast path, ${nodeSuites.join(', ')})`);
  }
  console.log(`\n${summary.join('\n')}`);
}

function exclude(path) {
  return ['--exclude', path];
}

function installOrFail(version) {
  try {
    return installNode(version);
  } catch (error) {
    console.error(`\nNode ${version} cannot be installed: ${error.message}`);
    return fail(`tests on Node ${version}`);
  }
}

function runStep(title, program, args) {
  console.log(`\n== ${title}`);
  const { status } = spawnSync(process.execPath, [join(root, program), ...args], { cwd: root, stdio: 'inherit' });
  return status === 0;
}

function finish(isPassed) {
  if (!isPassed) process.exit(1);
}

function fail(title) {
  console.error(`\nnpm test: ${title} failed`);
  process.exit(1);
}
