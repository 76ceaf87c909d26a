/** The result of a sale, simulated or rehearsed. */
import type { Fate, SaleMoment, Visit } from './sale.ts';

export interface SaleSummary {
  visitors: number;
  /** Number of visitors by outcome. */
  fates: Record<Fate, number>;
  /** Waiting time of visitors who entered; undefined if nobody did. */
  wait: Percentiles | undefined;
  longestLine: { waiting: number; atMs: number };
  mostInside: number;
  seats: { total: number; sold: number; buyers: number } | undefined;
  /** When the last seat was sold. */
  soldOutAtMs: number | undefined;
  endedAtMs: number;
  /** The course of the sale, thinned to MOST_POINTS. */
  moments: SaleMoment[];
  /** All visitors who arrived. */
  byArrival: ArrivalGroup[];
  /** Only visitors who entered: in a large sale they would all fall into the first group of `byArrival`. */
  insideByArrival: ArrivalGroup[];
}

export interface Percentiles {
  p50: number;
  p90: number;
  p99: number;
  longest: number;
}

/** The visitors who arrived within one interval. */
export interface ArrivalGroup {
  fromMs: number;
  untilMs: number;
  visitors: number;
  /** How many of them entered. */
  inside: number;
  wait: Percentiles | undefined;
}

export interface SaleRecord {
  visits: readonly Visit[];
  moments: readonly SaleMoment[];
  seatsTotal: number | undefined;
}

const MOST_POINTS = 300;
const ARRIVAL_GROUPS = 40;

export function summarize({ visits, moments, seatsTotal }: SaleRecord): SaleSummary {
  const fates: Record<Fate, number> = { absent: 0, waiting: 0, 'gave-up': 0, 'no-show': 0, inside: 0 };
  const waits: number[] = [];
  let sold = 0;
  let buyers = 0;
  for (const visit of visits) {
    fates[visit.fate] += 1;
    if (visit.insideAtMs !== undefined) waits.push(visit.insideAtMs - visit.joinedAtMs);
    sold += visit.seats;
    if (visit.seats > 0) buyers += 1;
  }
  const longest = moments.reduce((most, moment) => (moment.waiting > most.waiting ? moment : most), NO_MOMENT);
  const last = moments.at(-1) ?? NO_MOMENT;
  return {
    visitors: visits.length,
    fates,
    wait: percentilesOf(waits),
    longestLine: { waiting: longest.waiting, atMs: longest.atMs },
    mostInside: moments.reduce((most, { inside }) => Math.max(most, inside), 0),
    seats: seatsTotal === undefined ? undefined : { total: seatsTotal, sold, buyers },
    soldOutAtMs: last.seatsLeft === 0 ? last.atMs : undefined,
    endedAtMs: last.atMs,
    moments: thin(moments),
    byArrival: groupByArrival(visits.filter(({ fate }) => fate !== 'absent')),
    insideByArrival: groupByArrival(visits.filter(({ insideAtMs }) => insideAtMs !== undefined)),
  };
}

const NO_MOMENT: SaleMoment = { atMs: 0, waiting: 0, inside: 0, limit: 0, seatsLeft: undefined };

export function percentilesOf(values: readonly number[]): Percentiles | undefined {
  if (values.length === 0) return undefined;
  const sorted = Float64Array.from(values).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99), longest: sorted.at(-1)! };
}

/** Keeps evenly spaced moments and the last one. */
function thin(moments: readonly SaleMoment[]): SaleMoment[] {
  const step = Math.max(1, Math.ceil(moments.length / MOST_POINTS));
  return moments.filter((_, i) => i % step === 0 || i === moments.length - 1);
}

function groupByArrival(visits: readonly Visit[]): ArrivalGroup[] {
  const lastAt = visits.reduce((latest, { joinedAtMs }) => Math.max(latest, joinedAtMs), 0);
  const widthMs = Math.max(100, (lastAt + 1) / ARRIVAL_GROUPS);
  const groups = Array.from({ length: Math.ceil((lastAt + 1) / widthMs) }, () => [] as Visit[]);
  for (const visit of visits) groups[Math.floor(visit.joinedAtMs / widthMs)]!.push(visit);
  return groups
    .map((group, i) => toGroup(group, i * widthMs, (i + 1) * widthMs))
    .filter(({ visitors }) => visitors > 0);
}

function toGroup(group: readonly Visit[], fromMs: number, untilMs: number): ArrivalGroup {
  const waits = group.flatMap(({ joinedAtMs, insideAtMs }) =>
    insideAtMs === undefined ? [] : [insideAtMs - joinedAtMs],
  );
  return { fromMs, untilMs, visitors: group.length, inside: waits.length, wait: percentilesOf(waits) };
}
