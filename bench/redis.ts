/**
 * A line of a million in Redis: what joins, polls and ticks cost beside the naive way (one command after the other) and
 * two floors (the same HTTP server answering a constant; Redis alone running the join script), and what a waiter weighs.
 * `node dist/bench/redis.js [waiters]`; needs redis-server and redis-benchmark in the PATH.
 */
import { execFileSync } from 'node:child_process';
import { pino } from 'pino';
import { readConfig } from '../src/config.ts';
import { lineKeys } from '../src/line/redis/keys.ts';
import { RedisLineStore } from '../src/line/redis/redis-line-store.ts';
import { toRules } from '../src/line/redis/script-rules.ts';
import { createRedisClient } from '../src/platform/redis/connect.ts';
import { loadScript } from '../src/platform/redis/scripts.ts';
import { type LoadResult, runLoad, toRequest } from './load.ts';
import { median, startFairline, startProgram, startRedis, userTokens } from './processes.ts';

const waiters = Number(process.argv[2] ?? 1_000_000);
const SMALL = 10_000;
const ROUNDS = 5;
const SECONDS = 2;
const POLLERS = 10_000;
const JOINS_PER_ROUND = 40_000;
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
    rows[size.toLocaleString('en')] = {
      'joins /s, store alone': joins,
      'idle tick ms': await tickMs(event),
      'Redis bytes each': bytes,
    };
  }
  console.log('\nThe store alone, 36-character ids');
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
  console.table(Object.fromEntries(Object.entries(results).map(([what, rounds]) => [what, summarize(rounds)])));
  console.log(`Redis commands per 10,000 polls: ${Math.round(median(commands))}`);
}

function summarize(rounds: Record<Name, LoadResult>[]): object {
  const rate = (name: Name) => median(rounds.map((round) => round[name].perSecond));
  const ratio = (to: Name) =>
    Math.round(median(rounds.map((round) => round.ours.perSecond / round[to].perSecond)) * 100) / 100;
  return {
    'ours /s': rate('ours'),
    'naive /s': rate('naive'),
    'floor /s': rate('floor'),
    'to naive': ratio('naive'),
    'to floor': ratio('floor'),
  };
}

async function forEach(run: (name: Name) => Promise<LoadResult>): Promise<Record<Name, LoadResult>> {
  return { floor: await run('floor'), naive: await run('naive'), ours: await run('ours') };
}

/** One join per call, as many at once as the other measurements have connections. */
function measureScriptAlone(): void {
  const { sha } = loadScript(new URL('../src/line/redis/scripts/visit.lua', import.meta.url));
  const keys = lineKeys('concert');
  const rules = JSON.stringify({ defaults: toRules(defaults), tickMs: 1000 });
  const command = ['EVALSHA', sha, `${keys.length}`, ...keys, rules, '', 'join', 'benchmark-__rand_int__', ''];
  const args = ['-p', `${port}`, '-q', '-n', '100000', '-c', '100', '-r', '1000000000', ...command];
  const output = execFileSync('redis-benchmark', args).toString();
  console.log(
    `redis-benchmark of the join script, one join per call: ${/([\d.]+) requests per second/.exec(output)?.[1]} /s`,
  );
}

/** What clients sent: calls of scripts, and the reading of pulses. What scripts call inside is not counted. */
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
