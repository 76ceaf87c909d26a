/**
 * Tier 1 over HTTP on Redis (assign, check, status) compared with the floor (the same server with constant responses to the
 * same requests), and how often the counters are read. Requires redis-server in the PATH.
 */
import { spawn } from 'node:child_process';
import { Redis } from 'ioredis';
import { systemClock } from '../src/platform/clock.ts';
import { countersKey } from '../src/tier1/store/redis/scripts/keys.ts';
import { createDevices } from '../src/tier1/tokens/devices.ts';
import { createSignedPlaces } from '../src/tier1/tokens/signed-places.ts';
import { DEVICE_COOKIE } from '../src/tier1/tokens/vwr-pass.ts';
import { type LoadResult, runLoad } from './load.ts';
import { benchSecrets, median, putRoom, startFairline, startProgram } from './processes.ts';
import { type BenchRow, effort, report, round2 } from './report.ts';

const CONNECTIONS = 100;
const ROUNDS = effort(5, 1);
const SECONDS = effort(2, 0.2);
const WAITERS = effort(10_000, 1_000);

const redisPort = 20_000 + Math.floor(Math.random() * 10_000);
const server = spawn('redis-server', ['--port', `${redisPort}`, '--bind', '127.0.0.1', '--save', ''], {
  stdio: 'ignore',
});
const url = `redis://127.0.0.1:${redisPort}`;
const redis = new Redis(url, { retryStrategy: () => 50 });
redis.on('error', () => {});
await redis.ping();

const floor = await startProgram('floor.js', [], {});
const fairline = await startFairline({
  REDIS_URL: url,
  LIMIT_VWR_ASSIGN_PER_IP: '0',
  VWR_BATCH_SIZE: '1',
  VWR_CYCLE_MS: '3600000',
});
try {
  await putRoom(fairline.port, 'concert', { maxActive: 0 });
  await operate('activate');
  await measure();
} finally {
  await fairline.stop();
  await floor.stop();
  redis.disconnect();
  server.kill('SIGKILL');
}

async function measure(): Promise<void> {
  const assign = ['POST /vwr/assign/concert HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n'];
  const status = ['GET /vwr/status/concert HTTP/1.1\r\nhost: localhost\r\n\r\n'];
  const load = { connections: CONNECTIONS, seconds: SECONDS, repeat: true };
  for (const { port } of [floor, fairline]) await runLoad({ ...load, port, requests: assign });
  const checks = await toChecks();
  const rows: BenchRow[] = [];
  for (const [name, requests] of Object.entries({ assign, check: checks, status })) {
    await runLoad({ ...load, port: fairline.port, requests });
    const pairs: { ours: LoadResult; floor: LoadResult; readsPerSecond: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const same = await runLoad({ ...load, port: floor.port, requests });
      const before = await countReads();
      const ours = await runLoad({ ...load, port: fairline.port, requests });
      pairs.push({ ours, floor: same, readsPerSecond: ((await countReads()) - before) / SECONDS });
    }
    rows.push({
      what: `${name}, tier 1 on Redis`,
      unit: '/s',
      ours: median(pairs.map(({ ours }) => ours.perSecond)),
      floor: median(pairs.map((pair) => pair.floor.perSecond)),
      toFloor: round2(median(pairs.map((pair) => pair.ours.perSecond / pair.floor.perSecond))),
      more: {
        'p99 ms': median(pairs.map(({ ours }) => ours.p99Ms)),
        'counter reads /s': median(pairs.map(({ readsPerSecond }) => readsPerSecond)),
        statuses: JSON.stringify(pairs.at(-1)!.ours.statuses),
      },
    });
  }
  console.log(`\nTier 1, ${CONNECTIONS} connections, median of ${ROUNDS} pairs of rounds of ${SECONDS} s`);
  console.table(rows.map(({ more, ...row }) => ({ ...row, ...more })));
  report(rows);
}

/** One check per device, each with its own signed place. */
async function toChecks(): Promise<string[]> {
  const secrets: [string] = [benchSecrets.VWR_TOKEN_SECRET];
  const devices = createDevices(secrets, systemClock);
  const places = createSignedPlaces({ keys: secrets, ttlMs: 86_400_000, clock: systemClock });
  const activation = (await redis.hget(countersKey('concert'), 'activation'))!;
  return Array.from({ length: WAITERS }, (_, i) => {
    const { device, token } = devices.create();
    const requestId = places.issue({ eventId: 'concert', device, position: i + 100, activation });
    return `GET /vwr/check/concert/${requestId} HTTP/1.1\r\nhost: localhost\r\ncookie: ${DEVICE_COOKIE.name}=${token}\r\n\r\n`;
  });
}

/** Counter reads by the program: HMGET commands minus the one in each script call. */
async function countReads(): Promise<number> {
  const stats = await redis.info('commandstats');
  const calls = (name: string) => Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
  return calls('hmget') - calls('evalsha') - calls('eval');
}

async function operate(action: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${fairline.port}/api/admin/vwr/${action}/concert`, {
    method: 'POST',
    headers: { authorization: `Bearer ${benchSecrets.ADMIN_TOKEN}` },
  });
  if (!response.ok) throw new Error(await response.text());
}
