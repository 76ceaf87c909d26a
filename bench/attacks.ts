/**
 * All attacks of test/attacks at once, beside honest visitors: how many errors do those see, and how long do they wait?
 * A whole product with its shop, and `fairline gate` in front of its line and of a small site. Attackers run in a process of
 * their own and use only loopback addresses. `ATTACK_MINUTES=10 npm run bench -- attacks` for a long run.
 */
import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AttackPlan, AttackResult } from './attackers.ts';
import { createHonestVisitors } from './honest-visitors.ts';
import { benchSecrets, putRoom, readMetrics, startFairline, startProgram, userTokens } from './processes.ts';
import { effort, report, round2 } from './report.ts';

const EVENT = 'concert';
const VISITORS = effort(200, 20);
const minutes = Number(process.env.ATTACK_MINUTES ?? 0);
const SECONDS = minutes > 0 ? minutes * 60 : Number(process.env.ATTACK_SECONDS ?? effort(60, 4));
/** The gate's own status port, off the ports that the system assigns. */
const STATUS_PORT = 29_417;

const site = await startProgram('./gate-upstream.js', [], {});
const product = await startFairline({
  SHOP: 'on',
  // Only the gate is a proxy. Attackers come from other loopback addresses.
  TRUST_PROXY: '127.0.0.1',
});
await putRoom(product.port, EVENT, { maxActive: 100, admitPerSecond: 50 });
const gate = await startProgram(
  '../src/main.js',
  ['gate', '--upstream', `http://127.0.0.1:${site.port}`, '--line', `http://127.0.0.1:${product.port}`, '--port', '0'],
  { ...benchSecrets, LOG_LEVEL: 'error', GATE_STATUS_PORT: String(STATUS_PORT) },
);

const visitors = createHonestVisitors({ port: gate.port, eventId: EVENT, tokens: userTokens('honest', VISITORS) });
console.log(`${VISITORS} honest visitors, quiet, then ${SECONDS} s of all attacks at once`);
const calm = await visitors.run(effort(10, 2));
const attack = startAttack({ gatePort: gate.port, productPort: product.port, eventId: EVENT, seconds: SECONDS });
const attacked = await visitors.run(SECONDS);
const results = await attack;
// The gate must be as it was.
await sleep(1_000);
const after = await visitors.run(effort(10, 2));
const occupied = (await readMetrics(STATUS_PORT)).get('fairline_gate_upstream_connections');

console.log('\nHonest visitors');
console.table({ before: calm, 'under attack': attacked, after });
console.log('Attackers, responses by status (closed: no response)');
console.table(Object.fromEntries(results.map(({ name, statuses }) => [name, statuses])));
console.log(`Connections of the gate in use afterwards: ${occupied}`);
report(
  [
    ['before the attack', calm],
    ['under attack', attacked],
    ['after the attack', after],
  ].map(([when, figures]) => {
    const { requests, errors, p50Ms, p99Ms } = figures as typeof calm;
    const more = { requests, errors, 'p50 ms': p50Ms };
    return { what: `${VISITORS} honest visitors ${when}: p99`, unit: 'ms', ours: round2(p99Ms), more };
  }),
);
await gate.stop();
await product.stop();
await site.stop();
if (attacked.errors + after.errors > 0) process.exitCode = 1;

function startAttack(plan: AttackPlan): Promise<AttackResult[]> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('./attackers.js', import.meta.url));
    child.once('message', (found) => resolve(found as AttackResult[]));
    child.once('exit', (code) => code !== 0 && reject(new Error(`the attackers exited with code ${code}`)));
    child.send(plan);
  });
}
