/** Whether this visitor waits longer than the page has said before. Only then is a reason of use to them. */
import type { PollAnswer } from '../../../line/http/poll-answer.ts';

export interface Rise {
  number: number;
  lowestSeconds: number;
  lowestAhead: number;
  hasRisen: boolean;
}

/** Positions beyond the first 100 are within 1 %, and so are the estimates that follow from them. */
const TOLERANCE = 1.02;
const TOLERANCE_SECONDS = 5;
const TOLERANCE_PEOPLE = 1;

export function trackRise(before: Rise | undefined, place: Partial<PollAnswer>): Rise | undefined {
  const { number, peopleAhead: ahead, estimatedWait } = place;
  if (number === undefined || ahead === undefined) return before;
  const seconds = estimatedWait ?? Number.POSITIVE_INFINITY;
  if (before?.number !== number) return { number, lowestSeconds: seconds, lowestAhead: ahead, hasRisen: false };
  const isLonger = estimatedWait != null && seconds > before.lowestSeconds * TOLERANCE + TOLERANCE_SECONDS;
  return {
    number,
    lowestSeconds: Math.min(seconds, before.lowestSeconds),
    lowestAhead: Math.min(ahead, before.lowestAhead),
    hasRisen: isLonger || ahead > before.lowestAhead * TOLERANCE + TOLERANCE_PEOPLE,
  };
}
