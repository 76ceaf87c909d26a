/** What somebody who waits is told. */
import type { Pace } from '../model/counters.ts';

/** Seconds until so many are served, at the pace that is set. */
export function estimateWait(ahead: number, { batchSize, cycleMs }: Pace): number {
  return Math.ceil((ahead * cycleMs) / batchSize / 1000);
}

/** Seconds until it is worth asking again. */
export function nextPoll(ahead: number): number {
  if (ahead <= 500) return 2;
  if (ahead <= 2_000) return 5;
  if (ahead <= 10_000) return 10;
  return 15;
}
