/**
 * SHA-256 of short messages (up to 55 bytes, one block), without promises: a proof of work hashes a million of them, and
 * crypto.subtle takes ten times as long for each.
 */
const K = new Int32Array(64);
const START = new Int32Array(8);
fillConstants();

const words = new Int32Array(64);

/** `block`: the padded message as 16 words; `state` gets the hash as 8 words. */
export function hashBlock(block: Int32Array, state: Int32Array): void {
  words.set(block);
  for (let i = 16; i < 64; i += 1) {
    const a = words[i - 15]!;
    const b = words[i - 2]!;
    const s0 = (rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3)) | 0;
    const s1 = (rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10)) | 0;
    words[i] = (words[i - 16]! + s0 + words[i - 7]! + s1) | 0;
  }
  let [a, b, c, d] = [START[0]!, START[1]!, START[2]!, START[3]!];
  let [e, f, g, h] = [START[4]!, START[5]!, START[6]!, START[7]!];
  for (let i = 0; i < 64; i += 1) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i]! + words[i]!) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] = START[0]! + a;
  state[1] = START[1]! + b;
  state[2] = START[2]! + c;
  state[3] = START[3]! + d;
  state[4] = START[4]! + e;
  state[5] = START[5]! + f;
  state[6] = START[6]! + g;
  state[7] = START[7]! + h;
}

/** A message as a padded block. */
export function toBlock(message: Uint8Array): Int32Array {
  const bytes = new Uint8Array(64);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(60, message.length * 8);
  return Int32Array.from({ length: 16 }, (_, i) => view.getInt32(i * 4));
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** The constants are the fractions of the roots of the first primes (FIPS 180-4). */
function fillConstants(): void {
  const fraction = (value: number) => ((value - Math.floor(value)) * 2 ** 32) | 0;
  for (let candidate = 2, count = 0; count < 64; candidate += 1) {
    if (!isPrime(candidate)) continue;
    if (count < 8) START[count] = fraction(Math.sqrt(candidate));
    K[count] = fraction(Math.cbrt(candidate));
    count += 1;
  }
}

function isPrime(value: number): boolean {
  for (let divisor = 2; divisor * divisor <= value; divisor += 1) if (value % divisor === 0) return false;
  return true;
}
