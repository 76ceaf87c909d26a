/** What limits admission: free slots, claim window, minimum wait, and the token bucket of the rate. */
import { countInside, type Line } from '../model/line.ts';
import { limitOf } from '../model/room-settings.ts';
import { effectiveRate } from '../model/site-health.ts';

/** Free slots; 0 or less if there is none. A claim room also limits how many visitors are ready at once. */
export function countFree(line: Line): number {
  const { admission, claimWindow } = line.settings;
  const room = limitOf(line.settings, line.stock) - countInside(line);
  return admission === 'claim' ? Math.min(room, claimWindow - line.admitted.size) : room;
}

/** In a claim room nobody is ready before minWaitMs has passed, nor is anyone behind them. */
export function isTooEarly({ settings }: Line, joinedAt: number, now: number): boolean {
  return settings.admission === 'claim' && now < joinedAt + settings.minWaitMs;
}

/** How many admissions the rate allows now; without a rate, the batch size. */
export function allowance(line: Line, now: number): number {
  const perSecond = effectiveRate(line.settings, line.health);
  if (perSecond === undefined) return line.settings.batchSize;
  refill(line, perSecond, now);
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

export function bucketSize({ settings, tickMs }: Line, perSecond: number): number {
  // A lowered rate lowers the burst too.
  const burst = settings.burst === undefined ? perSecond : settings.burst * (perSecond / settings.admitPerSecond!);
  // A bucket smaller than one tick's worth would silently keep admission below the configured rate.
  return Math.max(1, burst, (perSecond * tickMs) / 1000);
}

/** The bucket fills at the rate, and each admission takes one token. */
function refill(line: Line, perSecond: number, now: number): void {
  const { bucket } = line;
  const gained = (Math.max(0, now - bucket.refilledAt) / 1000) * perSecond;
  bucket.tokens = Math.min(bucketSize(line, perSecond), bucket.tokens + gained);
  bucket.refilledAt = Math.max(bucket.refilledAt, now);
}
