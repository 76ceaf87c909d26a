/** Compares the waiting times that visitors were shown with how long they actually waited. */
import type { Visit } from './sale.ts';

export interface Verdict {
  /** Number of estimates judged. */
  count: number;
  /** Share whose range contains the real time. */
  inside: number;
  /** Median of |shown - real| / real. */
  medianError: number;
  /** Median of (high - low) / real. */
  medianWidth: number;
  /** Share that came with a reason for an increase. */
  changeTold: number;
}

export interface Moment {
  atMs: number;
  /** From `atMs` until admitted. */
  realMs: number;
  low: number;
  high: number;
  seconds: number;
  isChangeTold: boolean;
}

/** Shorter waits need no estimate. */
const SHORTEST_WAIT_MS = 30_000;

/** The estimates shown at these shares of each visitor's real wait. */
export function momentsAtShares(visits: readonly Visit[], shares: readonly number[]): Moment[] {
  return visits.flatMap((visit) => shares.flatMap((share) => momentAt(visit, waitOf(visit) * share)));
}

/** The last estimate shown before `atMs` to each visitor waiting then. */
export function momentsBefore(visits: readonly Visit[], atMs: number): Moment[] {
  return visits.flatMap((visit) => momentAt(visit, atMs - visit.joinedAtMs));
}

/** Drops estimates made before a change of the room and judged after it: no estimate could foresee it. */
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

/** Empty for a visitor who was not admitted, had not arrived, or was shown no estimate. */
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
