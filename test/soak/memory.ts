/** How the memory of each process develops after the first quarter of a run. Pure. */
import type { HistoryEntry, MemorySeen } from './history.ts';

export interface MemoryTrend {
  role: string;
  /** Of the measured part. */
  minutes: number;
  rssStartMb: number;
  rssEndMb: number;
  rssPerHourMb: number;
  heapPerHourMb: number;
}

const MB = 2 ** 20;
const HOUR_MS = 3_600_000;

/** By start of a process: what a restarted one had is no growth. The longest-lived start of each is shown. */
export function memoryTrends(entries: readonly HistoryEntry[]): MemoryTrend[] {
  const seen = entries.filter(
    (entry): entry is MemorySeen => entry.kind === 'memory' && Number.isFinite(entry.rssBytes),
  );
  const longest = new Map<string, MemorySeen[]>();
  const byStart = new Map<string, MemorySeen[]>();
  for (const one of seen) byStart.set(one.process, [...(byStart.get(one.process) ?? []), one]);
  for (const own of byStart.values()) {
    const { role } = own[0]!;
    if (own.length > (longest.get(role)?.length ?? 0)) longest.set(role, own);
  }
  return [...longest].map(([role, own]) => toTrend(role, own)).sort((a, b) => (a.role < b.role ? -1 : 1));
}

function toTrend(role: string, own: readonly MemorySeen[]): MemoryTrend {
  const [from, to] = [own[0]!.at, own.at(-1)!.at];
  const later = own.filter(({ at }) => at >= from + (to - from) / 4);
  const half = Math.max(1, Math.floor(later.length / 5));
  return {
    role,
    minutes: Math.round((to - later[0]!.at) / 6_000) / 10,
    rssStartMb: mean(later.slice(0, half).map(({ rssBytes }) => rssBytes / MB)),
    rssEndMb: mean(later.slice(-half).map(({ rssBytes }) => rssBytes / MB)),
    rssPerHourMb: slope(later, ({ rssBytes }) => rssBytes),
    heapPerHourMb: slope(later, ({ heapBytes }) => heapBytes),
  };
}

function mean(values: readonly number[]): number {
  return Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 10) / 10;
}

/** Least squares, in MB per hour. */
function slope(points: readonly MemorySeen[], measure: (point: MemorySeen) => number): number {
  const n = points.length;
  const meanAt = points.reduce((sum, { at }) => sum + at, 0) / n;
  const meanValue = points.reduce((sum, point) => sum + measure(point), 0) / n;
  let [over, under] = [0, 0];
  for (const point of points) {
    over += (point.at - meanAt) * (measure(point) - meanValue);
    under += (point.at - meanAt) ** 2;
  }
  return under === 0 ? 0 : Math.round((over / under / MB) * HOUR_MS * 10) / 10;
}
