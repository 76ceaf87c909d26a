/** How a room stood at one moment, and what happened since the moment before: a point of its charts. */
import { estimateWait } from '../line/estimate/estimate.ts';
import type { Totals } from '../line/model/line.ts';
import type { Crowd } from '../line/model/standing.ts';

export interface Sample {
  at: number;
  waiting: number;
  inside: number;
  limit: number;
  /** Let in from the line, and admitted who did not show up, since the sample before. */
  admitted: number;
  noShows: number;
  /** How long ago that was; 0 for the first. */
  seconds: number;
  wait: ShownWait;
}

/** What people are told, in seconds: whoever stands in the middle of the line, and whoever would join now. */
export interface ShownWait {
  middle: number | null;
  last: number | null;
}

export interface SampleFacts {
  at: number;
  crowd: Crowd;
  totals: Totals;
  /** The last look; undefined for the first sample: of what was before nothing is known. */
  before: { at: number; totals: Totals } | undefined;
  tickMs: number;
}

export function toSample({ at, crowd, totals, before = { at, totals }, tickMs }: SampleFacts): Sample {
  return {
    at,
    waiting: crowd.waiting,
    inside: crowd.admitted + crowd.active,
    limit: crowd.settings.maxActive,
    admitted: growth(before.totals.admitted, totals.admitted),
    noShows: growth(before.totals.noShows, totals.noShows),
    seconds: (at - before.at) / 1000,
    wait: toShownWait(crowd, tickMs),
  };
}

export function toShownWait(crowd: Crowd, tickMs: number): ShownWait {
  const { phase, settings, waiting, admitted, active, pace } = crowd;
  const secondsAt = (position: number) => {
    const wait = estimateWait({ position, phase, settings, inside: admitted + active, pace, tickMs });
    return wait.known ? wait.seconds : null;
  };
  if (waiting === 0 && admitted + active < settings.maxActive && phase === 'open') return { middle: 0, last: 0 };
  return { middle: secondsAt(Math.ceil((waiting + 1) / 2)), last: secondsAt(waiting + 1) };
}

/** Totals that fell have begun anew, with everything since. */
function growth(before: number, after: number): number {
  return after >= before ? after - before : after;
}
