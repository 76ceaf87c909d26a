/** Holds what visitors were shown against how long they then really waited. */
import type { Visit } from './sale.ts';

export interface Verdict {
  /** How many statements were judged. */
  count: number;
  /** The share of them whose range held the real time. */
  inside: number;
  /** The median of |shown - real| / real. */
  medianError: number;
  /** The median of (high - low) / real. */
  medianWidth: number;
  /** The share of them that came with a reason for having risen. */
  changeTold: number;
}

export interface Moment {
  atMs: number;
  /** From then on, until let in. */
  realMs: number;
  low: number;
  high: number;
  seconds: number;
  isChangeTold: boolean;
}

/** Whoever waits less needs no estimate. */
const SHORTEST_WAIT_MS = 30_000;

/** What was shown at these shares of each visitor's real wait. */
export function momentsAtShares(visits: readonly Visit[], shares: readonly number[]): Moment[] {
  return visits.flatMap((visit) => shares.flatMap((share) => momentAt(visit, waitOf(visit) * share)));
}

/** The last that was shown before `atMs` to each who waited then. */
export function momentsBefore(visits: readonly Visit[], atMs: number): Moment[] {
  return visits.flatMap((visit) => momentAt(visit, atMs - visit.joinedAtMs));
}

/** Without those made before a change and put to the test after it: nobody could have known. */
export function withoutOvertaken(moments: readonly Moment[], changesAtMs: readonly number[]): Moment[] {
  const isOvertaken = ({ atMs, realMs }: Moment) => changesAtMs.some((at) => atMs < at && at < atMs + realMs);
  return moments.filter((moment) => !isOvertaken(moment));
}

export function judge(moments: readonly Moment[]): Verdict {
  const real = (moment: Moment) => moment.realMs / 1000;
  const holds = moments.filter((moment) => moment.low <= real(moment) && real(moment) <= moment.high);
  return {
    count: moments.length,
    inside: holds.length / moments.length,
    medianError: median(moments.map((moment) => Math.abs(moment.seconds - real(moment)) / real(moment))),
    medianWidth: median(moments.map((moment) => (moment.high - moment.low) / real(moment))),
    changeTold: moments.filter(({ isChangeTold }) => isChangeTold).length / moments.length,
  };
}

function waitOf({ admittedAtMs, joinedAtMs }: Visit): number {
  return (admittedAtMs ?? Number.NaN) - joinedAtMs;
}

/** None for who was not let in, had not come yet, or was told in words that there is no time to tell. */
function momentAt(visit: Visit, afterMs: number): Moment[] {
  const wait = waitOf(visit);
  if (!(wait >= SHORTEST_WAIT_MS) || afterMs < 0 || afterMs >= wait) return [];
  const shown = visit.shown.findLast(({ atMs }) => atMs <= visit.joinedAtMs + afterMs);
  if (shown === undefined || !shown.wait.known) return [];
  const { low, high, seconds, change } = shown.wait;
  return [
    {
      atMs: shown.atMs,
      realMs: visit.admittedAtMs! - shown.atMs,
      low,
      high,
      seconds,
      isChangeTold: change !== undefined,
    },
  ];
}

function median(values: number[]): number {
  const sorted = values.sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
