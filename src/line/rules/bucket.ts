/** The token bucket of `admitPerSecond`: it fills at that rate, and each admission takes one token. */
import type { Line } from '../model/line.ts';

/** How many admissions the rate allows now; without a rate, the batch size. */
export function allowance(line: Line, now: number): number {
  if (line.settings.admitPerSecond === undefined) return line.settings.batchSize;
  refill(line, line.settings.admitPerSecond, now);
  return Math.floor(line.bucket.tokens);
}

export function take(line: Line, count: number): void {
  if (line.settings.admitPerSecond !== undefined) line.bucket.tokens -= count;
}

/** Takes a token for an admission without waiting, if the room has a rate; false if none is left. */
export function takeOne(line: Line, now: number): boolean {
  if (line.settings.admitPerSecond === undefined) return true;
  if (allowance(line, now) < 1) return false;
  take(line, 1);
  return true;
}

function refill({ bucket, settings, tickMs }: Line, perSecond: number, now: number): void {
  // A bucket smaller than one tick's worth would silently keep admission below the configured rate.
  const size = Math.max(1, settings.burst ?? perSecond, (perSecond * tickMs) / 1000);
  const gained = (Math.max(0, now - bucket.refilledAt) / 1000) * perSecond;
  bucket.tokens = Math.min(size, bucket.tokens + gained);
  bucket.refilledAt = Math.max(bucket.refilledAt, now);
}
