/** One reading for everybody who asks while it is under way, or soon after it began. */
import type { Clock } from '../platform/clock.ts';

export function createCachedRead<T>(read: () => Promise<T>, freshMs: number, clock: Clock): () => Promise<T> {
  let latest: { began: number; reading: Promise<T> } | undefined;
  return () => {
    const now = clock.now();
    if (latest !== undefined && now - latest.began < freshMs) return latest.reading;
    const reading = read();
    const mine = { began: now, reading };
    latest = mine;
    // What failed is not what the next one is told.
    reading.catch(() => {
      if (latest === mine) latest = undefined;
    });
    return reading;
  };
}
