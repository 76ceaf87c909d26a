/**
 * A crowd against four processes on one Redis: `fairline rehearse` with two workers sends visitors who arrive within a
 * minute, poll or hold a stream, and enter a room with a limit. 100,000 visitors at a limit of 2,000 if DATABASE_URL and
 * KAFKA_BROKERS name a disposable database and broker, which the processes then use; else a fifth of that, without the shop.
 * `node dist/bench/crowd.js [visitors]`; requires redis-server in the PATH.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { cpuMicros } from './cpu-time.ts';
import { benchSecrets, putRoom, type Started, startFairline, startRedis } from './processes.ts';
import { type BenchRow, effort, report, round2, sizeFrom } from './report.ts';

const { KAFKA_BROKERS: brokers, DATABASE_URL: database } = process.env;
const hasStores = brokers !== undefined && database !== undefined;
const visitors = sizeFrom(process.argv.slice(2), hasStores ? 100_000 : 20_000, 500);
const limit = Math.ceil(visitors / effort(50, 5));
const PROCESSES = 4;
const WORKERS = 2;
const ARRIVAL_MINUTES = effort(1, 0.05);
const SHOPPING_SECONDS = 2;
const MOST_MINUTES = 3.5;
/** Each takes a file descriptor. */
const MOST_STREAMS = 5_000;

interface Percentiles {
  count: number;
  p50?: number;
  p99?: number;
}

interface Rehearsal {
  requests: number;
  retries: number;
  problems: Record<string, number>;
  times: Record<'join' | 'poll' | 'news', Percentiles>;
  verdict: { judgements: { goal: string; measured: number }[] };
  /** CPU time of the rehearsal with its workers. */
  cpuMs: number;
}

const redis = await startRedis();
const stores = hasStores ? { DATABASE_URL: database, KAFKA_BROKERS: brokers, SHOP: 'on' } : { SHOP: 'off' };
const env = { REDIS_URL: redis.url, LIMIT_STREAMS_PER_IP: '0', ...stores };
const processes: Started[] = [];
try {
  // The first creates the tables.
  while (processes.length < PROCESSES) processes.push(await startFairline(env));
  await putRoom(processes[0]!.port, 'rehearsal', { maxActive: limit });
  const redisBefore = await redisCpuMs();
  const before = processes.map(({ child }) => cpuMicros(child.pid!));
  const found = await rehearse();
  const cpuMs = processes.map(({ child }, i) => Math.round((cpuMicros(child.pid!) - before[i]!) / 1_000));
  const rows = toRows(found, { processes: cpuMs, redis: Math.round((await redisCpuMs()) - redisBefore) });
  console.table(rows.map(({ what, ours, unit, more }) => ({ what, figure: `${ours} ${unit}`, ...more })));
  if (Object.keys(found.problems).length > 0) console.log('problems:', found.problems);
  report(rows);
} finally {
  for (const { stop } of processes) await stop();
  redis.stop();
}

function rehearse(): Promise<Rehearsal> {
  const streams = Math.min(0.1, MOST_STREAMS / visitors);
  const options = {
    visitors,
    'arrival-minutes': ARRIVAL_MINUTES,
    shopping: `fixed:${SHOPPING_SECONDS}`,
    streams: streams.toFixed(4),
    minutes: MOST_MINUTES,
    workers: WORKERS,
    connections: 512,
  };
  const main = fileURLToPath(new URL('../src/main.js', import.meta.url));
  const urls = processes.map(({ port }) => `http://127.0.0.1:${port}`);
  const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn(process.execPath, [main, 'rehearse', ...urls, ...given, '--json', '--progress'], {
    env: { PATH: process.env.PATH, ...benchSecrets },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let output = '';
    let micros = 0;
    const watching = setInterval(() => {
      micros = Math.max(micros, cpuMicros(child.pid!));
    }, 250);
    child.stdout.on('data', (chunk) => (output += chunk));
    child.once('close', (code) => {
      clearInterval(watching);
      // 1: a goal was missed, which the rows show.
      if (code === 0 || code === 1) resolve({ ...JSON.parse(output), cpuMs: Math.round(micros / 1_000) });
      else reject(new Error(`the rehearsal exited with code ${code}`));
    });
  });
}

async function redisCpuMs(): Promise<number> {
  const info = await redis.redis.info('cpu');
  const seconds = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1]);
  return (seconds('used_cpu_user') + seconds('used_cpu_sys')) * 1_000;
}

function toRows(found: Rehearsal, cpuMs: { processes: number[]; redis: number }): BenchRow[] {
  const measured = (goal: string) => found.verdict.judgements.find((one) => one.goal === goal)?.measured ?? -1;
  const crowd = `${visitors.toLocaleString('en')} visitors in ${ARRIVAL_MINUTES * 60} s, limit ${limit.toLocaleString('en')}`;
  const time = (what: string, { count, p50, p99 }: Percentiles): BenchRow => ({
    what: `${crowd}: ${what}, p50`,
    unit: 'ms',
    ours: Math.round(p50 ?? 0),
    isDetail: true,
    more: { 'p99 ms': Math.round(p99 ?? 0), count },
  });
  const errors = {
    errors: measured('errors'),
    'out of order': measured('inversions'),
    'lost places': measured('lost-places'),
    'over the limit': measured('overshoot'),
  };
  return [
    {
      what: `${crowd}: finished, ${hasStores ? 'Redis, PostgreSQL and Kafka' : 'Redis'}`,
      unit: 'visitors',
      ours: measured('finished'),
      isDetail: true,
      more: { ...errors, requests: found.requests, retries: found.retries },
    },
    time('join', found.times.join),
    time('poll', found.times.poll),
    time('news of an admission on a stream', found.times.news),
    ...cpuMs.processes.map((ms, i): BenchRow => cpu(`process ${i + 1}`, ms)),
    cpu('Redis', cpuMs.redis),
    {
      ...cpu('the rehearsal', found.cpuMs),
      more: { 'requests per CPU second': Math.round(found.requests / (found.cpuMs / 1_000)) },
    },
  ];

  function cpu(what: string, ms: number): BenchRow {
    return { what: `${crowd}: CPU time of ${what}`, unit: 's', ours: round2(ms / 1_000), isDetail: true };
  }
}
