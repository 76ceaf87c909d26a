/** One point of a room's charts: its state at a moment, and what happened since the previous sample. */
import { estimateWait } from '../line/estimate/estimate.ts';
import type { Totals } from '../line/model/line.ts';
import { effectiveRate } from '../line/model/site-health.ts';
import type { Crowd } from '../line/model/standing.ts';

export interface Sample {
  at: number;
  waiting: number;
  inside: number;
  limit: number;
  /** The rate in force; null in a room without a rate. */
  allowedPerSecond: number | null;
  /** Admissions and no-shows since the previous sample. */
  admitted: number;
  noShows: number;
  /** Time since the previous sample; 0 for the first. */
  seconds: number;
  wait: ShownWait;
}

/** The estimated wait shown to visitors, in seconds. */
export interface ShownWait {
  /** In the middle of the line. */
  middle: number | null;
  /** For a visitor who joins now. */
  last: number | null;
}

export interface SampleFacts {
  at: number;
  crowd: Crowd;
  totals: Totals;
  /** The previous sample; undefined for the first. */
  before: { at: number; totals: Totals } | undefined;
  tickMs: number;
}

export function toSample({ at, crowd, totals, before = { at, totals }, tickMs }: SampleFacts): Sample {
  return {
    at,
    waiting: crowd.waiting,
    inside: crowd.admitted + crowd.active,
    limit: crowd.settings.maxActive,
    allowedPerSecond: effectiveRate(crowd.settings, crowd.health) ?? null,
    admitted: growth(before.totals.admitted, totals.admitted),
    noShows: growth(before.totals.noShows, totals.noShows),
    seconds: (at - before.at) / 1000,
    wait: toShownWait(crowd, tickMs),
  };
}

export function toShownWait(crowd: Crowd, tickMs: number): ShownWait {
  const { phase, settings, admitted, active, pace, stock, health } = crowd;
  const waiting = crowd.waiting - crowd.away;
  const inside = admitted + active;
  const secondsAt = (position: number) => {
    const wait = estimateWait({ position, phase, settings, inside, pace, stock, health, tickMs });
    return wait.known ? wait.seconds : null;
  };
  if (waiting === 0 && inside < settings.maxActive && phase === 'open') return { middle: 0, last: 0 };
  return { middle: secondsAt(Math.ceil((waiting + 1) / 2)), last: secondsAt(waiting + 1) };
}

/** A total that fell was reset, so all of it is new. */
function growth(before: number, after: number): number {
  return after >= before ? after - before : after;
}
