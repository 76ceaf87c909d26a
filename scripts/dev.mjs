/**
 * `npm run dev`: runs the product from source, and rebuilds and restarts it when a file below src/ changes. If a build
 * fails, the running version stays up.
 */
import { spawn, spawnSync } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { root, setUp } from './set-up.mjs';

/** Editors write several files in one go. */
const SETTLE_MS = 200;

setUp();
let program = start();
let timer;
let isRebuilding = false;
let hasChanged = false;

watch(join(root, 'src'), { recursive: true }, () => {
  clearTimeout(timer);
  timer = setTimeout(rebuild, SETTLE_MS);
});
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, async () => {
    await stop(program);
    process.exit();
  });
}

async function rebuild() {
  hasChanged = true;
  if (isRebuilding) return;
  isRebuilding = true;
  while (hasChanged) {
    hasChanged = false;
    // In a process of its own, because setUp exits if the build fails.
    const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.mjs')], { stdio: 'inherit' });
    if (status !== 0 || hasChanged) continue;
    await stop(program);
    program = start();
  }
  isRebuilding = false;
}

function start() {
  return spawn(process.execPath, [join(root, 'dist/src/main.js'), 'start', ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { DESIGN_PAGE: 'on', ...process.env },
  });
}

function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return undefined;
  return new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill('SIGTERM');
  });
}
