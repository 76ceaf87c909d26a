/**
 * Random bytes as base64url text, for ids that many requests make. They come from a pool: each call of `randomBytes`
 * takes 2 us, however few bytes it returns, which was a twentieth of what a new device in tier 1 costs.
 */
import { randomBytes } from 'node:crypto';

const POOL_BYTES = 4_096;

let pool = Buffer.alloc(0);
let used = 0;

/** No byte of the pool is used twice. */
export function randomText(bytes: number): string {
  if (used + bytes > pool.length) {
    pool = randomBytes(Math.max(POOL_BYTES, bytes));
    used = 0;
  }
  used += bytes;
  return pool.toString('base64url', used - bytes, used);
}
