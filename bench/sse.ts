/**
 * The cost of many open streams, and the latency from an admission to its event.
 * `node dist/bench/sse.js [streams]`, or SSE_STREAMS=50000; the server needs more file descriptors than streams (`ulimit -n`).
 */
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { putRoom, readMetrics, startFairline } from './processes.ts';
import { effort, report, sizeFrom } from './report.ts';
import { type Crowd, createCrowd } from './sse-crowd.ts';

const EVENT = 'concert';
const STEADY_MS = effort(20_000, 2_000);
const ADMISSIONS = effort(2_000, 200);
const ADMITTED_PER_SECOND = 100;

/** Of the server, besides streams. */
const OTHER_FILES = 200;

const given = process.env.SSE_STREAMS === undefined ? process.argv.slice(2) : [process.env.SSE_STREAMS];
const count = sizeFrom(given, 10_000, 700);
requireFiles(count + OTHER_FILES);
const rows: [string, string][] = [];
const { port, stop } = await startFairline({
  LIMIT_STREAMS_PER_IP: '0',
  LIMIT_GUEST_JOIN_PER_IP: '0',
});
const crowd = createCrowd(port, `/events/${EVENT}/tickets/waiting`, count);
try {
  await putRoom(port, EVENT, { maxActive: 0 });
  await measureOpening(crowd);
  await measureSteadyState(crowd);
  await measureChangeToAll(crowd);
  await measureAdmissions(crowd);
  console.log(`\n${count} streams, Node ${process.versions.node}, server and clients on one machine\n`);
  for (const [what, figure] of rows) console.log(`${what.padEnd(60)} ${figure}`);
  report(
    rows.map(([what, figure]) => {
      const [value, unit = ''] = figure.split(' ');
      return { what: `${count} streams: ${what}`, unit, ours: Number(value) };
    }),
  );
} finally {
  crowd.close();
  await stop();
}

/** Otherwise the server would refuse the last streams, and the clients would only see connections that end. */
function requireFiles(needed: number): void {
  const allowed = execFileSync('/bin/sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
  if (allowed === 'unlimited' || Number(allowed) >= needed) return;
  throw new Error(`${count} streams need ${needed} open files, and a process may have ${allowed}: ulimit -n ${needed}`);
}

async function measureOpening({ open }: Crowd): Promise<void> {
  // Warm-up: the first streams measure compilation.
  await open(Math.min(500, count));
  const before = await readMetrics(port);
  const startedAt = performance.now();
  const more = count - Math.min(500, count);
  await open(more);
  rows.push(['streams opened per second', (more / ((performance.now() - startedAt) / 1000)).toFixed(0)]);
  await sleep(5_000);
  const after = await readMetrics(port);
  const grown = (name: string) => (after.get(name)! - before.get(name)!) / more / 1024;
  rows.push(['memory per stream (resident)', `${grown('process_resident_memory_bytes').toFixed(1)} KB`]);
  rows.push(['memory per stream (heap used)', `${grown('nodejs_heap_size_used_bytes').toFixed(1)} KB`]);
}

async function measureSteadyState(current: Crowd): Promise<void> {
  await current.receive();
  const before = await readMetrics(port);
  await sleep(STEADY_MS);
  const { bytes } = await current.receive();
  const after = await readMetrics(port);
  const grown = (name: string) => after.get(name)! - before.get(name)!;
  const seconds = STEADY_MS / 1000;
  rows.push([
    'steady state: CPU of one core',
    `${((grown('process_cpu_seconds_total') / seconds) * 100).toFixed(0)} %`,
  ]);
  rows.push(['steady state: sent', `${(bytes / seconds / 1024).toFixed(0)} KB/s`]);
  rows.push([
    'steady state: mean broadcast (fairline_broadcast_seconds)',
    `${((grown('fairline_broadcast_seconds_sum') / grown('fairline_broadcast_seconds_count')) * 1000).toFixed(1)} ms`,
  ]);
}

/** A message goes to every stream, so its round shows what an update of everyone costs. */
async function measureChangeToAll(current: Crowd): Promise<void> {
  const rounds: number[] = [];
  const cpu: number[] = [];
  const spreads: number[] = [];
  const lags: number[] = [];
  for (let i = 0; i < 5; i += 1) {
    await current.receive();
    const before = await readMetrics(port);
    await putRoom(port, EVENT, { message: { en: `Message ${i}` } });
    const roomTimes: number[] = [];
    while (roomTimes.length < count) {
      await sleep(200);
      roomTimes.push(...(await current.receive()).roomTimes);
    }
    const after = await readMetrics(port);
    const grown = (name: string) => after.get(name)! - before.get(name)!;
    rounds.push(grown('fairline_broadcast_seconds_sum') * 1000);
    cpu.push(grown('process_cpu_seconds_total') * 1000);
    const sorted = roomTimes.sort((a, b) => a - b);
    spreads.push(sorted.at(-1)! - sorted[0]!);
    lags.push(after.get('nodejs_eventloop_lag_max_seconds')! * 1000);
  }
  rows.push(['update to all: time to write (median of 5)', `${percentile(rounds, 0.5).toFixed(0)} ms`]);
  rows.push(['update to all: CPU time of the server (median of 5)', `${percentile(cpu, 0.5).toFixed(0)} ms`]);
  rows.push(['update to all: first to last client (median of 5)', `${percentile(spreads, 0.5).toFixed(0)} ms`]);
  rows.push(['update to all: longest event loop block (median of 5)', `${percentile(lags, 0.5).toFixed(0)} ms`]);
}

async function measureAdmissions(current: Crowd): Promise<void> {
  const expected = Math.min(ADMISSIONS, count);
  await current.receive();
  await putRoom(port, EVENT, { maxActive: expected, admitPerSecond: ADMITTED_PER_SECOND });
  const delays: number[] = [];
  while (delays.length < expected) {
    await sleep(200);
    delays.push(...(await current.receive()).admissionDelays);
  }
  rows.push([`admission to event at ${ADMITTED_PER_SECOND}/s, p50`, `${percentile(delays, 0.5)} ms`]);
  rows.push([`admission to event at ${ADMITTED_PER_SECOND}/s, p99`, `${percentile(delays, 0.99)} ms`]);
  rows.push([`admission to event at ${ADMITTED_PER_SECOND}/s, longest`, `${Math.max(...delays)} ms`]);
  rows.push(['streams still open at the end', String((await readMetrics(port)).get('fairline_streams'))]);
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
