/** Caches the result of a read for a short time. Concurrent callers share one read; failures are not cached. */
import type { Clock } from '../platform/clock.ts';

export function createCachedRead<T>(read: () => Promise<T>, freshMs: number, clock: Clock): () => Promise<T> {
  let latest: { began: number; reading: Promise<T> } | undefined;
  return () => {
    const now = clock.now();
    if (latest !== undefined && now - latest.began < freshMs) return latest.reading;
    const reading = read();
    const mine = { began: now, reading };
    latest = mine;
    reading.catch(() => {
      if (latest === mine) latest = undefined;
    });
    return reading;
  };
}
