import type { Counters, Pace } from '../model/counters.ts';

/**
 * Advances the serving counter in proportion to the time since the last advance, in whole positions; the remainder is
 * kept. The result does not depend on who calls it or how often. A gap earns at most one batch, so the site is not
 * flooded after an outage, and no time is saved up while nobody waits.
 */
export function advance(counters: Counters, { batchSize, cycleMs }: Pace, now: number): Counters {
  if (counters.state !== 'active' || now <= counters.advancedAt) return counters;
  const spanMs = Math.min(now - counters.advancedAt, cycleMs);
  const earned = Math.floor((spanMs * batchSize) / cycleMs);
  const wanted = counters.servingCounter + earned;
  if (wanted >= counters.nextPosition) return { ...counters, servingCounter: counters.nextPosition, advancedAt: now };
  // Keep the remainder by leaving its time for the next advance.
  const unpaidMs = spanMs - (earned * cycleMs) / batchSize;
  return { ...counters, servingCounter: wanted, advancedAt: now - unpaidMs };
}

/** Advances to an operator's target, never past the last position assigned and never back. */
export function advanceTo(counters: Counters, target: number): Counters {
  const servingCounter = Math.max(counters.servingCounter, Math.min(target, counters.nextPosition));
  return { ...counters, servingCounter };
}
