/** Waiting time and poll interval of a device. */
import type { Pace } from '../model/counters.ts';

/** Seconds until `ahead` devices are served at the configured pace. */
export function estimateWait(ahead: number, { batchSize, cycleMs }: Pace): number {
  return Math.ceil((ahead * cycleMs) / batchSize / 1000);
}

/** Seconds until the next poll. */
export function nextPoll(ahead: number): number {
  if (ahead <= 500) return 2;
  if (ahead <= 2_000) return 5;
  if (ahead <= 10_000) return 10;
  return 15;
}
