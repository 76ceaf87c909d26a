/**
 * HMAC-SHA256 (RFC 2104) as two one-shot hashes. `createHmac` allocates an object with a native part for each text, which
 * the garbage collector must finalize: during a rush of joins that costs as much as the hashing. For the same reason the
 * inner digest is a string instead of a buffer, and the views on the scratch buffer are kept.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import { secretBytes as bytesOf } from './secret-bytes.ts';

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
/** Length of a digest in base64url. */
export const MAC_LENGTH = 43;

/** Returns the MAC of the first `length` characters, or of all of them. */
export type Mac = (text: string, length?: number) => string;

/** For ASCII texts of at most `maxLength` characters. MACs are in base64url. */
export function createMac(secret: string | Uint8Array, maxLength: number): Mac {
  const secretBytes = typeof secret === 'string' ? bytesOf(secret) : secret;
  const key = secretBytes.length > BLOCK_BYTES ? hash('sha256', secretBytes, 'buffer') : secretBytes;
  const inner = Buffer.alloc(BLOCK_BYTES + maxLength);
  const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES);
  const views: Buffer[] = [];
  for (let i = 0; i < BLOCK_BYTES; i += 1) {
    inner[i] = (key[i] ?? 0) ^ 0x36;
    outer[i] = (key[i] ?? 0) ^ 0x5c;
  }
  return (text, length = text.length) => {
    const written = inner.write(text, BLOCK_BYTES, length, 'latin1');
    views[written] ??= inner.subarray(0, BLOCK_BYTES + written);
    outer.write(hash('sha256', views[written], 'binary'), BLOCK_BYTES, 'latin1');
    return hash('sha256', outer, 'base64url');
  };
}

const left = Buffer.alloc(MAC_LENGTH);
const right = Buffer.alloc(MAC_LENGTH);

/** Compares two MACs in constant time. */
export function isSameMac(a: string, b: string): boolean {
  // In bytes: as latin1 a character such as U+0141 would be written as `A`, and a changed MAC would be the same.
  if (Buffer.byteLength(a) !== MAC_LENGTH || Buffer.byteLength(b) !== MAC_LENGTH) return false;
  left.write(a, 'latin1');
  right.write(b, 'latin1');
  return timingSafeEqual(left, right);
}
