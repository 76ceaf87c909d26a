/**
 * ALTCHA v2 proof of work: finds the counter whose SHA-256, after salt and nonce and hashed `cost` times, starts with the wanted
 * prefix.
 */
import { hashBlock, toBlock } from './sha256.ts';

export interface Challenge {
  parameters: { nonce: string; salt: string; keyPrefix: string; cost?: number };
}

export interface Solved {
  challenge: Challenge;
  solution: { counter: number; derivedKey: string };
}

/** Tries this many counters from `from` on; undefined if none fits. */
export function findProof(challenge: Challenge, from: number, attempts: number): Solved | undefined {
  const { nonce, salt, keyPrefix, cost = 1 } = challenge.parameters;
  const fixed = bytesOf(salt + nonce);
  const message = new Uint8Array(fixed.length + 4);
  message.set(fixed);
  const [mask, wanted] = toMask(keyPrefix);
  const state = new Int32Array(8);
  const inner = toBlock(new Uint8Array(32));
  const block = toBlock(message);
  // The counter is the last word of the message if what comes before it fills whole words, as it does for ALTCHA.
  const at = fixed.length / 4;
  if (!Number.isInteger(at)) throw new Error(`salt and nonce have ${fixed.length} bytes; expected: a multiple of 4`);
  for (let counter = from; counter < from + attempts; counter += 1) {
    block[at] = counter;
    hashBlock(block, state);
    for (let round = 1; round < cost; round += 1) {
      inner.set(state);
      hashBlock(inner, state);
    }
    if ((state[0]! & mask) !== wanted) continue;
    const derivedKey = hexOf(state);
    if (derivedKey.startsWith(keyPrefix)) return { challenge, solution: { counter, derivedKey } };
  }
  return undefined;
}

/** Compares the first word before anything is formatted. */
function toMask(prefix: string): [mask: number, wanted: number] {
  const digits = Math.min(8, prefix.length);
  const mask = Number.parseInt('f'.repeat(digits).padEnd(8, '0'), 16) | 0;
  return [mask, (Number.parseInt(prefix.slice(0, digits).padEnd(8, '0'), 16) | 0) & mask];
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function hexOf(state: Int32Array): string {
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}
