/**
 * What no-shows used of the rate comes back to it: each returns its token once. Returned tokens are kept beside the
 * bucket, which is usually full again by then, at most as many as it holds. A tick uses them only together with as many
 * tokens of the bucket, so they never more than double the rate.
 */
import type { Line } from '../model/line.ts';
import { bucketSize } from './free-slots.ts';

/** An admitted visitor did not show up. */
export function returnToken(line: Line): void {
  const { bucket, settings } = line;
  if (settings.admitPerSecond === undefined) return;
  bucket.returned = Math.min(bucket.returned + 1, Math.floor(bucketSize(line, settings.admitPerSecond)));
}

/** How many a tick may admit beyond the `allowed` of the bucket. */
export function countReturned({ bucket, settings }: Line, allowed: number): number {
  return settings.admitPerSecond === undefined ? 0 : Math.min(bucket.returned, allowed);
}

export function takeReturned({ bucket }: Line, count: number): void {
  bucket.returned -= count;
}
