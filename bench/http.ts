/**
 * Joins and status polls over HTTP, compared with the floor: the same server with constant responses to the same requests,
 * over the same number of connections. Short rounds alternate and the ratio is taken per pair, so noise of the machine
 * affects both.
 */
import { type LoadResult, runLoad, toRequest } from './load.ts';
import { median, putRoom, startFairline, startProgram, userTokens } from './processes.ts';
import { type BenchRow, effort, report, round2 } from './report.ts';

const CONNECTIONS = 100;
const ROUNDS = effort(8, 1);
const SECONDS = effort(2, 0.2);
/** About 300,000 in total, all with new tokens. */
const JOINS_PER_ROUND = effort(40_000, 2_000);
const WAITERS = effort(10_000, 1_000);
const check = '/api/queue/check/concert';
const status = '/api/queue/status/concert';

interface Pair {
  ours: LoadResult;
  floor: LoadResult;
}

const floor = await startProgram('floor.js', [], {});
const fairline = await startFairline();
await putRoom(fairline.port, 'concert', { maxActive: 0 });

const waiters = userTokens('waiter', WAITERS);
const polls = waiters.map((token) => toRequest('GET', status, token));
const load = { connections: CONNECTIONS, seconds: SECONDS };
const warmUp = {
  ...load,
  seconds: 60,
  requests: waiters.map((token) => toRequest('POST', check, token)),
  repeat: false,
};
for (const { port } of [floor, fairline]) await runLoad({ ...warmUp, port });
for (const { port } of [floor, fairline]) await runLoad({ ...load, port, requests: polls, repeat: true });

const pairs = { 'status poll': [] as Pair[], join: [] as Pair[] };
for (let round = 0; round < ROUNDS; round += 1) {
  const joins = userTokens(`join-${round}`, JOINS_PER_ROUND).map((token) => toRequest('POST', check, token));
  pairs['status poll'].push({
    floor: await runLoad({ ...load, port: floor.port, requests: polls, repeat: true }),
    ours: await runLoad({ ...load, port: fairline.port, requests: polls, repeat: true }),
  });
  pairs.join.push({
    floor: await runLoad({ ...load, port: floor.port, requests: joins, repeat: true }),
    ours: await runLoad({ ...load, port: fairline.port, requests: joins, repeat: false }),
  });
}
await fairline.stop();
await floor.stop();

console.log(`\nOver HTTP, ${CONNECTIONS} connections, median of ${ROUNDS} pairs of rounds of up to ${SECONDS} s`);
const rows = Object.entries(pairs).map(([name, rounds]) => toRow(`${name}, embedded`, rounds));
console.table(rows.map(({ more, ...row }) => ({ ...row, ...more })));
report(rows);

function toRow(what: string, rounds: Pair[]): BenchRow {
  return {
    what,
    unit: '/s',
    ours: median(rounds.map(({ ours }) => ours.perSecond)),
    floor: median(rounds.map(({ floor: same }) => same.perSecond)),
    toFloor: round2(median(rounds.map((pair) => pair.ours.perSecond / pair.floor.perSecond))),
    more: {
      'p99 ms': median(rounds.map(({ ours }) => ours.p99Ms)),
      responses: countStatuses(rounds.map(({ ours }) => ours)),
    },
  };
}

function countStatuses(loads: LoadResult[]): string {
  const sum: Record<string, number> = {};
  for (const { statuses } of loads) {
    for (const [code, count] of Object.entries(statuses)) sum[code] = (sum[code] ?? 0) + count;
  }
  return Object.entries(sum)
    .map(([code, count]) => `${count} x ${code}`)
    .join(', ');
}
