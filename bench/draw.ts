/**
 * A draw among a million visitors, as the admitter runs it: the time from the opening until all lots are assigned, and the
 * longest block meanwhile, of the event loop and of Redis (its longest command).
 * `node --expose-gc dist/bench/draw.js [visitors]`; requires redis-server in the PATH.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { readConfig } from '../src/config/read-config.ts';
import { createLineMetrics } from '../src/line/line-metrics.ts';
import { runAdmitterOnce } from '../src/line/roles/admitter.ts';
import type { LineStore } from '../src/line/store/line-store.ts';
import { MemoryLineStore } from '../src/line/store/memory/memory-line-store.ts';
import { RedisLineStore } from '../src/line/store/redis/redis-line-store.ts';
import { createRedisClient } from '../src/platform/redis/connect.ts';
import { startRedis } from './processes.ts';
import { report, sizeFrom } from './report.ts';

const visitors = sizeFrom(process.argv.slice(2), 1_000_000, 20_000);
const IN_FLIGHT = 1_000;
const HOUR_MS = 3_600_000;
const log = pino({ level: 'warn' });
const { roomDefaults: defaults } = readConfig({}).line;

const rows: Record<string, Figures> = {};
rows.embedded = await measureEmbedded();
rows.Redis = await measureRedis();
console.log(`\nA draw among ${visitors.toLocaleString('en')}`);
console.table(rows);
report(
  Object.entries(rows).map(([store, { 'draw s': seconds, ...more }]) => ({
    what: `draw among ${visitors.toLocaleString('en')}, ${store}`,
    unit: 's',
    ours: seconds!,
    more,
  })),
);

type Figures = Record<string, number>;

async function measureEmbedded(): Promise<Figures> {
  const dir = mkdtempSync(join(tmpdir(), 'fairline-bench-'));
  const clock = createJumpingClock();
  const store = await MemoryLineStore.open({ dir, defaults, tickMs: 1000, clock, log });
  const figures = await measureDraw(store, clock);
  await store.close();
  rmSync(dir, { recursive: true });
  return figures;
}

async function measureRedis(): Promise<Figures> {
  const { url, redis, stop } = await startRedis();
  await redis.config('SET', 'slowlog-log-slower-than', '1000', 'slowlog-max-len', '100000');
  const clock = createJumpingClock();
  const client = createRedisClient({ url });
  const store = await RedisLineStore.open({ client, defaults, tickMs: 1000, now: clock.now, log });
  const figures = await measureDraw(store, clock, () => redis.slowlog('RESET'));
  const slowest = ((await redis.slowlog('GET', '-1')) as [id: number, at: number, micros: number][]).map(
    (one) => one[2],
  );
  await store.close();
  stop();
  return { ...figures, 'longest Redis command ms': Math.max(0, ...slowest) / 1000 };
}

async function measureDraw(
  store: LineStore,
  clock: JumpingClock,
  onFilled: () => Promise<unknown> = async () => {},
): Promise<Figures> {
  const opensAt = new Date(clock.now() + HOUR_MS).toISOString();
  await store.putRoom('concert', { order: 'draw', opensAt, maxActive: 0, seenTtlMs: 2 * HOUR_MS });
  for (let from = 0; from < visitors; from += IN_FLIGHT) {
    const batch = Array.from({ length: IN_FLIGHT }, (_, i) => store.join('concert', `user-${from + i}@example.com`));
    await Promise.all(batch);
  }
  globalThis.gc?.();
  await onFilled();
  clock.jump(HOUR_MS);
  const held = monitorEventLoopDelay({ resolution: 1 });
  held.enable();
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  const metrics = createLineMetrics(new Registry(), store);
  while ((await runAdmitterOnce({ admissions: store, draws: store, metrics })) === 'again');
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = process.cpuUsage(cpuBefore);
  held.disable();
  const draw = await store.findDraw('concert');
  if (draw?.phase !== 'drawn' || draw.entries !== visitors) throw new Error('the draw did not finish');
  return {
    'draw s': Number(seconds.toFixed(1)),
    'CPU s': Number(((cpu.user + cpu.system) / 1e6).toFixed(1)),
    'longest event loop block ms': Math.round(held.max / 1e6),
  };
}

interface JumpingClock {
  now: () => number;
  jump(ms: number): void;
}

function createJumpingClock(): JumpingClock {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    jump(ms) {
      ahead += ms;
    },
  };
}
