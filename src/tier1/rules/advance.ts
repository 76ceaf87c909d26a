import type { Counters, Pace } from '../model/counters.ts';

/**
 * Gives the serving counter what it has earned since it was last advanced: its share of the batch by the millisecond,
 * in whole positions, the rest being kept for the next time. Whoever calls it, and however often, it earns no more. A
 * gap earns one batch at most, so that nobody is flooded after an outage; while nobody waits nothing is saved up.
 */
export function advance(counters: Counters, { batchSize, cycleMs }: Pace, now: number): Counters {
  if (counters.state !== 'active' || now <= counters.advancedAt) return counters;
  const spanMs = Math.min(now - counters.advancedAt, cycleMs);
  const earned = Math.floor((spanMs * batchSize) / cycleMs);
  const wanted = counters.servingCounter + earned;
  if (wanted >= counters.nextPosition) return { ...counters, servingCounter: counters.nextPosition, advancedAt: now };
  // Kept by leaving the time that was not paid out for the next advance.
  const unpaidMs = spanMs - (earned * cycleMs) / batchSize;
  return { ...counters, servingCounter: wanted, advancedAt: now - unpaidMs };
}

/** As far as an operator says, never past the last position given and never back. */
export function advanceTo(counters: Counters, target: number): Counters {
  const servingCounter = Math.max(counters.servingCounter, Math.min(target, counters.nextPosition));
  return { ...counters, servingCounter };
}
