/** The verdict of a run: counts, recovery times per kind of fault, every broken promise with its evidence. Pure. */
import type { History, HistoryEntry } from './history.ts';
import { type MemoryTrend, memoryTrends } from './memory.ts';
import { newsTimes } from './oracle/news.ts';
import { type PromiseNo, promises } from './oracle/promises.ts';
import type { Violation } from './oracle/violation.ts';

export interface Recovery {
  fault: string;
  count: number;
  /** Faults that no other one overlapped; the times are theirs. */
  clean: number;
  p50Ms: number | undefined;
  worstMs: number | undefined;
  /** How soon the system should serve again; undefined: no goal. */
  goalMs: number | undefined;
  /** How many of the clean ones did. */
  met: number;
}

export interface Verdict {
  seed: number;
  store: string;
  counts: {
    visitors: number;
    requests: number;
    lost: number;
    unavailable: number;
    admissions: number;
    purchases: number;
    records: number;
    faults: number;
    kinds: number;
  };
  /** How long after an admission its visitor was told, in milliseconds. */
  news: { count: number; p50Ms: number; p99Ms: number; worstMs: number };
  recoveries: Recovery[];
  memory: MemoryTrend[];
  violations: readonly Violation[];
}

export function createVerdict(history: History, violations: readonly Violation[]): Verdict {
  const { facts, entries } = history;
  const count = (holds: (entry: HistoryEntry) => boolean) => entries.filter(holds).length;
  const isRequest = (entry: HistoryEntry) =>
    entry.kind === 'shop' ||
    (entry.kind === 'asked' && entry.action !== 'stream-event' && entry.action !== 'stream-end');
  const recoveries = recoveriesOf(entries);
  return {
    seed: facts.seed,
    store: facts.store,
    counts: {
      visitors: new Set(entries.flatMap((entry) => (entry.kind === 'asked' ? [entry.visitor] : []))).size,
      requests: count(isRequest),
      lost: count((entry) => isRequest(entry) && 'status' in entry && entry.status === 0),
      unavailable: count((entry) => isRequest(entry) && 'status' in entry && entry.status === 503),
      admissions: count(({ kind }) => kind === 'entry'),
      purchases: count((entry) => entry.kind === 'shop' && entry.action === 'confirm' && entry.status === 200),
      records: count(({ kind }) => kind === 'record'),
      faults: count(({ kind }) => kind === 'fault'),
      kinds: recoveries.length,
    },
    news: newsTimes(history),
    recoveries,
    memory: memoryTrends(entries),
    violations,
  };
}

const PROCESS_GOAL_MS = 1_000;
const FAILOVER_GOAL_MS = 4_000;
const REDIS_GOAL_MS = 500;

/** As docs/guides/redis.md says. */
function goalOf(fault: string): number | undefined {
  if (/^(?:kill|stop|restart|clock|roll)-/.test(fault)) return PROCESS_GOAL_MS;
  if (/^cluster-(?:kill|stop|failover)/.test(fault)) return FAILOVER_GOAL_MS;
  return /^(?:redis|cluster)-/.test(fault) ? REDIS_GOAL_MS : undefined;
}

function recoveriesOf(entries: readonly HistoryEntry[]): Recovery[] {
  const byKind = new Map<string, { count: number; times: number[] }>();
  for (const entry of entries) {
    if (entry.kind !== 'fault') continue;
    const own = byKind.get(entry.fault) ?? { count: 0, times: [] };
    own.count += 1;
    if (entry.isClean && entry.recoveredAt !== undefined)
      own.times.push(entry.recoveredAt - (entry.healsFrom ?? entry.until));
    byKind.set(entry.fault, own);
  }
  return [...byKind]
    .map(([fault, { count, times }]) => {
      times.sort((a, b) => a - b);
      const goalMs = goalOf(fault);
      return {
        fault,
        count,
        clean: times.length,
        p50Ms: times[Math.floor((times.length - 1) / 2)],
        worstMs: times.at(-1),
        goalMs,
        met: times.filter((ms) => ms <= (goalMs ?? Number.POSITIVE_INFINITY)).length,
      };
    })
    .sort((a, b) => (a.fault < b.fault ? -1 : 1));
}

/** Violations of one promise that are shown in full. */
const MOST_SHOWN = 3;

export function describeVerdict({ seed, store, counts, news, recoveries, memory, violations }: Verdict): string {
  const lines = [
    `seed ${seed}, store ${store}`,
    `${counts.visitors} visitors, ${counts.requests} requests (${counts.unavailable} got 503, ${counts.lost} no response)`,
    `${counts.admissions} admissions by ticks, ${counts.purchases} purchases, ${counts.records} records`,
    `${counts.faults} faults of ${counts.kinds} kinds`,
    `an admission was told after ${news.p50Ms} ms (p50), ${news.p99Ms} ms (p99), ${news.worstMs} ms (worst of ${news.count})`,
  ];
  if (recoveries.length > 0)
    lines.push(
      '',
      'recovery after the cause was gone, in ms; only faults that no other one overlapped',
      ...tableOf(recoveries),
    );
  if (memory.length > 0) lines.push('', 'memory', ...memory.map(describeTrend));
  lines.push('', ...describeViolations(violations));
  return lines.join('\n');
}

function tableOf(recoveries: readonly Recovery[]): string[] {
  const widest = Math.max(...recoveries.map(({ fault }) => fault.length));
  const row = (cells: readonly string[]) =>
    `  ${cells[0]!.padEnd(widest)}${cells
      .slice(1)
      .map((cell) => cell.padStart(8))
      .join('')}`;
  return [
    row(['fault', 'count', 'clean', 'p50', 'worst', 'goal', 'met']),
    ...recoveries.map(({ fault, count, clean, p50Ms, worstMs, goalMs, met }) =>
      row([
        ...[fault, String(count), String(clean), String(p50Ms ?? '-'), String(worstMs ?? '-')],
        ...(goalMs === undefined ? ['-', '-'] : [String(goalMs), `${met}/${clean}`]),
      ]),
    ),
  ];
}

function describeTrend({ role, minutes, rssStartMb, rssEndMb, heapPerHourMb, rssPerHourMb }: MemoryTrend): string {
  return `  ${role}: RSS ${rssStartMb} to ${rssEndMb} MB in ${minutes} minutes after the first quarter; per hour RSS ${rssPerHourMb} MB, heap ${heapPerHourMb} MB`;
}

function describeViolations(violations: readonly Violation[]): string[] {
  if (violations.length === 0) return ['No promise was broken.'];
  const byPromise = new Map<PromiseNo, Violation[]>();
  for (const violation of violations) {
    const own = byPromise.get(violation.promise);
    if (own === undefined) byPromise.set(violation.promise, [violation]);
    else own.push(violation);
  }
  const lines = [`${violations.length} violations of ${byPromise.size} promises`];
  for (const [no, own] of [...byPromise].sort()) {
    lines.push('', `${no} (${own.length}): ${promises[no].sentence} (${promises[no].page})`);
    for (const { text, evidence } of own.slice(0, MOST_SHOWN))
      lines.push(`  ${text}`, ...evidence.map((entry) => `    ${JSON.stringify(entry)}`));
    if (own.length > MOST_SHOWN) lines.push(`  and ${own.length - MOST_SHOWN} more`);
  }
  return lines;
}
