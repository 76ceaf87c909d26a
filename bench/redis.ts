/**
 * A line of a million visitors in Redis: joins, polls and ticks compared with the naive implementation (one command after
 * another) and two floors (the same HTTP server with constant responses; Redis alone running the join script), and the
 * memory per visitor. `node dist/bench/redis.js [visitors]`; requires redis-server and redis-benchmark in the PATH.
 */
import { execFileSync } from 'node:child_process';
import { pino } from 'pino';
import { readConfig } from '../src/config/read-config.ts';
import { RedisLineStore } from '../src/line/store/redis/redis-line-store.ts';
import { lineKeys } from '../src/line/store/redis/scripts/keys.ts';
import { toRules } from '../src/line/store/redis/scripts/script-caller.ts';
import { createRedisClient } from '../src/platform/redis/connect.ts';
import { loadScript } from '../src/platform/redis/scripts.ts';
import { type LoadResult, runLoad, toRequest } from './load.ts';
import { median, startFairline, startProgram, startRedis, userTokens } from './processes.ts';
import { type BenchRow, effort, report, round2, sizeFrom } from './report.ts';

const waiters = sizeFrom(process.argv.slice(2), 1_000_000, 20_000);
const SMALL = effort(10_000, 1_000);
const ROUNDS = effort(5, 1);
const SECONDS = effort(2, 0.2);
const POLLERS = effort(10_000, 1_000);
const JOINS_PER_ROUND = effort(40_000, 2_000);
const TICKS = 20;
const check = '/api/queue/check/concert';
const status = '/api/queue/status/concert';

const { url, port, redis, stop: stopRedis } = await startRedis();
const { roomDefaults: defaults } = readConfig({}).line;
const store = await RedisLineStore.open({
  client: createRedisClient({ url }),
  defaults,
  tickMs: 1000,
  log: pino({ level: 'warn' }),
});

const found: BenchRow[] = [];
await measureTicksAndMemory();
const running = {
  ours: await startFairline({ REDIS_URL: url }),
  naive: await startProgram('naive.js', [url], {}),
  floor: await startProgram('floor.js', [], {}),
};
type Name = keyof typeof running;
try {
  await measureHttp();
  measureScriptAlone();
  report(found);
} finally {
  for (const started of Object.values(running)) await started.stop();
  await store.close();
  stopRedis();
}

async function measureTicksAndMemory(): Promise<void> {
  const before = await usedMemory();
  const rows: Record<string, object> = {};
  for (const [event, size] of [
    ['small', SMALL],
    ['concert', waiters],
  ] as const) {
    await store.putRoom(event, { maxActive: 0 });
    const startedAt = performance.now();
    await fill(event, size);
    const joins = Math.round((size / (performance.now() - startedAt)) * 1000);
    const bytes = Math.round(((await usedMemory()) - before) / (event === 'small' ? size : size + SMALL));
    const idle = await tickMs(event);
    const crowd = size.toLocaleString('en');
    rows[crowd] = { 'joins /s, store alone': joins, 'idle tick ms': idle, 'Redis bytes each': bytes };
    found.push(
      { what: `join, Redis store alone, ${crowd} waiting`, unit: '/s', ours: joins },
      { what: `idle tick, Redis, ${crowd} waiting`, unit: 'ms', ours: idle },
      { what: `Redis memory per visitor, ${crowd} waiting`, unit: 'bytes', ours: bytes },
    );
  }
  console.log('\nStore alone, visitor ids of 36 characters');
  console.table(rows);
}

async function fill(event: string, size: number): Promise<void> {
  const inFlight = 2_000;
  for (let from = 0; from < size; from += inFlight) {
    const joins = Array.from({ length: Math.min(inFlight, size - from) }, (_, i) =>
      store.join(event, visitorId(from + i)),
    );
    await Promise.all(joins);
  }
}

async function tickMs(event: string): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < TICKS; i += 1) {
    const startedAt = performance.now();
    await store.tick(event);
    times.push(performance.now() - startedAt);
  }
  return Math.round(median(times) * 100) / 100;
}

async function measureHttp(): Promise<void> {
  const pollers = userTokens('poller', POLLERS);
  const joining = pollers.map((token) => toRequest('POST', check, token));
  const polls = pollers.map((token) => toRequest('GET', status, token));
  const load = { connections: 100, seconds: SECONDS };
  for (const name of ['ours', 'naive'] as const) {
    await runLoad({ ...load, seconds: 60, port: running[name].port, requests: joining, repeat: false });
  }
  for (const { port: each } of Object.values(running))
    await runLoad({ ...load, port: each, requests: polls, repeat: true });
  const results: Record<'join' | 'status poll', Record<Name, LoadResult>[]> = { join: [], 'status poll': [] };
  const commands: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const joins = userTokens(`join-${round}`, JOINS_PER_ROUND).map((token) => toRequest('POST', check, token));
    results.join.push(
      await forEach((name) =>
        runLoad({ ...load, port: running[name].port, requests: joins, repeat: name === 'floor' }),
      ),
    );
    results['status poll'].push(
      await forEach(async (name) => {
        const before = await clientCommands();
        const result = await runLoad({ ...load, port: running[name].port, requests: polls, repeat: true });
        if (name === 'ours') commands.push(((await clientCommands()) - before) / (result.answered / 10_000));
        return result;
      }),
    );
  }
  console.log(`\nOver HTTP, ${waiters.toLocaleString('en')} waiting, 100 connections, median of ${ROUNDS} rounds`);
  const rows = Object.entries(results).map(([what, rounds]) => toRow(`${what}, Redis`, rounds));
  console.table(rows);
  const perPolls = Math.round(median(commands));
  console.log(`Redis commands per 10,000 polls: ${perPolls}`);
  found.push(...rows, { what: 'Redis commands per 10,000 polls', unit: 'commands', ours: perPolls });
}

function toRow(what: string, rounds: Record<Name, LoadResult>[]): BenchRow {
  const rate = (name: Name) => median(rounds.map((round) => round[name].perSecond));
  const ratio = (to: Name) => round2(median(rounds.map((round) => round.ours.perSecond / round[to].perSecond)));
  return {
    what,
    unit: '/s',
    ours: rate('ours'),
    naive: rate('naive'),
    floor: rate('floor'),
    toNaive: ratio('naive'),
    toFloor: ratio('floor'),
  };
}

async function forEach(run: (name: Name) => Promise<LoadResult>): Promise<Record<Name, LoadResult>> {
  return { floor: await run('floor'), naive: await run('naive'), ours: await run('ours') };
}

/** One join per call, with as many connections as the other measurements. */
function measureScriptAlone(): void {
  const { sha } = loadScript(new URL('../src/line/store/redis/scripts/visit.lua', import.meta.url));
  const keys = lineKeys('concert');
  const rules = JSON.stringify({ defaults: toRules(defaults), tickMs: 1000 });
  const asked = JSON.stringify(['join', 'benchmark-__rand_int__', '']);
  const command = ['EVALSHA', sha, `${keys.length}`, ...keys, rules, '', asked];
  const args = ['-p', `${port}`, '-q', '-n', `${effort(100_000, 2_000)}`, '-c', '100', '-r', '1000000000', ...command];
  const output = execFileSync('redis-benchmark', args).toString();
  const alone = Number(/([\d.]+) requests per second/.exec(output)?.[1]);
  console.log(`join script in redis-benchmark, one join per call: ${alone} /s`);
  found.push({ what: 'join script in redis-benchmark, one join per call', unit: '/s', ours: Math.round(alone) });
}

/** Commands sent by clients: script calls and reads of pulses. Commands inside scripts do not count. */
async function clientCommands(): Promise<number> {
  const stats = await redis.info('commandstats');
  return ['evalsha', 'get', 'sadd'].reduce(
    (sum, name) => sum + Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(stats)?.[1] ?? 0),
    0,
  );
}

async function usedMemory(): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await redis.info('memory'))![1]);
}

function visitorId(i: number): string {
  return `${i.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
}
