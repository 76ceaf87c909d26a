/**
 * How many visitors a gate lets pass while it cannot ask the line: a token bucket per event, open for a bounded time per
 * outage. Over an outage it never lets more than `perSecond` times the seconds it was open, plus `max(1, perSecond)`,
 * times `share`. Pure: times are arguments, in ms of one monotonic clock.
 */
import type { FailOpenSetting } from '../lookups/line-watch.ts';

export type TrickleState = 'closed' | 'open' | 'over';

export interface Outage {
  /** Since when the line cannot be asked. */
  downSince: number;
  now: number;
}

/** `over`: open for as long as one outage allows. */
export function stateAt({ afterSeconds, forMinutes }: FailOpenSetting, { downSince, now }: Outage): TrickleState {
  const openedAt = downSince + afterSeconds * 1_000;
  if (now < openedAt) return 'closed';
  return now < openedAt + forMinutes * 60_000 ? 'open' : 'over';
}

/** When the trickle of this outage ends. */
export function endOf({ afterSeconds, forMinutes }: FailOpenSetting, downSince: number): number {
  return downSince + afterSeconds * 1_000 + forMinutes * 60_000;
}

export interface TrickleBucket {
  tokens: number;
  refilledAt: number;
}

/** `share`: the part of the rate that this process has, where several processes are one gate. */
export function createBucket(setting: FailOpenSetting, openedAt: number, share: number): TrickleBucket {
  return { tokens: share * Math.max(1, setting.perSecond), refilledAt: openedAt };
}

/** Takes one token; false if none is left. */
export function tryTake(bucket: TrickleBucket, { perSecond }: FailOpenSetting, now: number, share: number): boolean {
  const rate = perSecond * share;
  const gained = (Math.max(0, now - bucket.refilledAt) / 1_000) * rate;
  bucket.tokens = Math.min(Math.max(1, rate), bucket.tokens + gained);
  bucket.refilledAt = Math.max(bucket.refilledAt, now);
  if (bucket.tokens < 1) return false;
  bucket.tokens -= 1;
  return true;
}
