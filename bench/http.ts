/**
 * Joins and status polls over HTTP, beside the floor: the same server answering a constant to the same requests, over
 * the same number of connections. Rounds alternate, so that whatever else the machine does falls on both.
 */
import { type LoadResult, runLoad, toRequest } from './load.ts';
import { median, putRoom, startFairline, startProgram, userTokens } from './processes.ts';

const CONNECTIONS = 100;
const ROUNDS = 5;
const SECONDS = 3;
const JOINS_PER_ROUND = 60_000;
const WAITERS = 20_000;
const check = '/api/queue/check/concert';
const status = '/api/queue/status/concert';

const floor = await startProgram('floor.js', [], {});
const fairline = await startFairline();
await putRoom(fairline.port, 'concert', { maxActive: 1000 });

const poll = userTokens('poll', WAITERS);
const joining = poll.map((token) => toRequest('POST', check, token));
await runLoad({ port: fairline.port, connections: CONNECTIONS, seconds: 60, requests: joining, repeat: false });

const results: Record<string, { ours: LoadResult[]; floor: LoadResult[] }> = {
  'status poll': { ours: [], floor: [] },
  join: { ours: [], floor: [] },
};
for (let round = 0; round < ROUNDS; round += 1) {
  const polls = poll.slice(1000).map((token) => toRequest('GET', status, token));
  const joins = userTokens(`join-${round}`, JOINS_PER_ROUND).map((token) => toRequest('POST', check, token));
  for (const [name, requests, repeat] of [
    ['status poll', polls, true],
    ['join', joins, false],
  ] as const) {
    const load = { connections: CONNECTIONS, seconds: SECONDS, requests: [...requests] };
    results[name]!.floor.push(await runLoad({ ...load, port: floor.port, repeat: true }));
    results[name]!.ours.push(await runLoad({ ...load, port: fairline.port, repeat }));
  }
}
await fairline.stop();
await floor.stop();

console.log(`\nOver HTTP, ${CONNECTIONS} connections, median of ${ROUNDS} rounds of up to ${SECONDS} s`);
console.table(
  Object.fromEntries(
    Object.entries(results).map(([name, { ours, floor: floors }]) => {
      const rate = median(ours.map(({ perSecond }) => perSecond));
      const floorRate = median(floors.map(({ perSecond }) => perSecond));
      const ratio = Math.round((rate / floorRate) * 100) / 100;
      const slowest = median(ours.map(({ p99Ms }) => p99Ms));
      return [name, { 'ours /s': rate, 'floor /s': floorRate, ratio, 'p99 ms': slowest, answers: answersOf(ours) }];
    }),
  ),
);

function answersOf(loads: LoadResult[]): string {
  const sum: Record<string, number> = {};
  for (const { statuses } of loads) {
    for (const [code, count] of Object.entries(statuses)) sum[code] = (sum[code] ?? 0) + count;
  }
  return Object.entries(sum)
    .map(([code, count]) => `${count} x ${code}`)
    .join(', ');
}
