/** `npm run bench [name …]`: runs the benchmarks, all or those named. */
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { findChromium } from './find-chromium.mjs';
import { root, setUp } from './set-up.mjs';

const all = ['line', 'http', 'sse', 'redis', 'draw', 'estimate', 'edge', 'gate', 'shop', 'pages', 'records'];
const names = process.argv.slice(2);
const unknown = names.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}; there are ${all.join(', ')}.`);
  process.exit(2);
}

setUp();
console.log(`Node ${process.versions.node}, ${cpus().length} x ${cpus()[0]?.model}`);
for (const name of names.length > 0 ? names : all) {
  console.log(`\n== ${name}`);
  const { status } = spawnSync(process.execPath, ['--expose-gc', join(root, `dist/bench/${name}.js`)], {
    stdio: 'inherit',
    env: { ...process.env, CHROMIUM: findChromium() ?? '' },
  });
  if (status !== 0) process.exit(status ?? 1);
}
