/**
 * `npm run simulate-line [-- --seed N | --count N --from N]`: runs the simulation of the line (test/simulation) for one seed,
 * or for many; 10,000 from 1 on if nothing is given.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root, setUp } from './set-up.mjs';

const { values } = parseArgs({
  options: { seed: { type: 'string' }, from: { type: 'string' }, count: { type: 'string' } },
});
const from = values.seed ?? values.from ?? '1';
const count = values.seed === undefined ? (values.count ?? '10000') : '1';
for (const [name, value] of Object.entries({ from, count })) {
  if (/^\d{1,9}$/.test(value)) continue;
  console.error(`${name} is ${value}; expected: a whole number, such as 42`);
  process.exit(2);
}

setUp();
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const env = { ...process.env, SIMULATE_FROM: from, SIMULATE_COUNT: count };
const args = [vitest, 'run', '--config', 'vitest.simulation.config.ts', '-t', 'keeps its promises'];
process.exit(spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env }).status ?? 1);
