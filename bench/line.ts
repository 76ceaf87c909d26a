/**
 * The rules and the embedded store without HTTP, with 10,000, 100,000 and 1 million waiting visitors: the rate of each
 * operation, the memory per visitor, and the time of a restart. Run with --expose-gc.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { pino } from 'pino';
import { readConfig } from '../src/config/read-config.ts';
import { measure } from '../src/line/estimate/ruler.ts';
import { createLine, type Line } from '../src/line/model/line.ts';
import { join } from '../src/line/rules/join.ts';
import { leave } from '../src/line/rules/leave.ts';
import { look } from '../src/line/rules/look.ts';
import { tick } from '../src/line/rules/tick.ts';
import { MemoryLineStore } from '../src/line/store/memory/memory-line-store.ts';
import { systemClock } from '../src/platform/clock.ts';
import { median } from './processes.ts';
import { effort, report } from './report.ts';

const SIZES = [10_000, 100_000, 1_000_000].slice(0, effort(3, 1));
const SAMPLES = effort(100_000, 10_000);
const TICKS = 50;
const IN_FLIGHT = 500;

/** The default settings, with no admissions except in measured ticks. */
const defaults = { ...readConfig({}).line.roomDefaults, maxActive: 0 };

measureRules(SIZES[0]!); // Warm-up: the first run measures compilation.
const rules: Record<string, Figures> = {};
for (const size of SIZES) rules[size.toLocaleString('en')] = measureRules(size);
console.log('\nRules alone (operations per second; the median tick admits 100 visitors and measures the ruler)');
console.table(rules);

const stores: Record<string, Figures> = {};
for (const size of SIZES) stores[size.toLocaleString('en')] = await measureStore(size);
console.log(`\nEmbedded store with its journal on disk, ${IN_FLIGHT} joins in flight`);
console.table(stores);
report(
  Object.entries(stores).flatMap(([waiting, { 'joins /s': onDisk, ...store }]) => {
    const { 'joins /s': joins, ...alone } = rules[waiting]!;
    return [
      { what: `join, rules alone, ${waiting} waiting`, unit: '/s', ours: joins!, more: alone },
      { what: `join, embedded store on disk, ${waiting} waiting`, unit: '/s', ours: onDisk!, more: store },
    ];
  }),
);

type Figures = Record<string, number>;

function measureRules(size: number): Figures {
  const visitors = Array.from({ length: size }, (_, i) => `user-${i}@example.com`);
  const before = usedBytes();
  const line = createLine({ eventId: 'e', epoch: 'x', defaults, overrides: {}, tickMs: 1000 });
  const now = Date.now();
  const joins = rate(size, (i) => join(line, visitors[i]!, now));
  const bytes = Math.round((usedBytes() - before) / size);
  const ranks = rate(SAMPLES, (i) => line.waiting.rankOf(1 + ((i * 7919) % size)));
  const looks = rate(SAMPLES, (i) => look(line, visitors[(i * 7919) % size]!, now));
  const tickMicros = median(Array.from({ length: TICKS }, () => timeOfTick(line, now)));
  const left = Math.min(size - TICKS * 100, SAMPLES) - 1;
  const leaves = left > 0 ? rate(left, (i) => leave(line, visitors[size - 1 - i]!, now)) : 0;
  return {
    'joins /s': joins,
    'ranks /s': ranks,
    'looks /s': looks,
    'leaves /s': leaves,
    'tick us': Math.round(tickMicros),
    'bytes each': bytes,
  };
}

/** In microseconds. */
function timeOfTick(line: Line, now: number): number {
  line.settings = { ...line.settings, maxActive: line.settings.maxActive + 100 };
  const startedAt = performance.now();
  tick(line, now);
  measure(line.waiting);
  return (performance.now() - startedAt) * 1000;
}

async function measureStore(size: number): Promise<Figures> {
  const dir = mkdtempSync(joinPath(tmpdir(), 'fairline-bench-'));
  const options = { dir, defaults, tickMs: 1000, clock: systemClock, log: pino({ level: 'warn' }) };
  const store = await MemoryLineStore.open(options);
  await store.putRoom('concert', { maxActive: 0 });
  const startedAt = performance.now();
  for (let from = 0; from < size; from += IN_FLIGHT) {
    const batch = Array.from({ length: IN_FLIGHT }, (_, i) => store.join('concert', `user-${from + i}@example.com`));
    await Promise.all(batch);
  }
  const joins = perSecond(size, startedAt);
  await store.close();
  const onDisk = readdirSync(dir).reduce((sum, name) => sum + statSync(joinPath(dir, name)).size, 0);
  const reopenedAt = performance.now();
  const reopened = await MemoryLineStore.open(options);
  const recovery = Math.round(performance.now() - reopenedAt);
  const found = (await reopened.findRoom('concert'))?.crowd.waiting;
  if (found !== size) throw new Error(`expected ${size} waiting visitors after the restart, found ${found}`);
  await reopened.close();
  rmSync(dir, { recursive: true });
  return { 'joins /s': joins, 'restart ms': recovery, 'bytes on disk each': Math.round(onDisk / size) };
}

function rate(count: number, work: (i: number) => unknown): number {
  const startedAt = performance.now();
  for (let i = 0; i < count; i += 1) work(i);
  return perSecond(count, startedAt);
}

function perSecond(count: number, startedAt: number): number {
  return Math.round((count / (performance.now() - startedAt)) * 1000);
}

function usedBytes(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
