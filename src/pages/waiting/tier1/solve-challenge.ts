/** ALTCHA proof of work: finds the counter whose SHA-256, after salt and nonce, starts with the wanted prefix. */

export interface Challenge {
  parameters: { nonce: string; salt: string; keyPrefix: string };
}

export interface Solved {
  challenge: Challenge;
  solution: { counter: number; derivedKey: string };
}

export async function solveChallenge(challenge: Challenge): Promise<Solved> {
  const { nonce, salt, keyPrefix } = challenge.parameters;
  const fixed = bytesOf(salt + nonce);
  const text = new Uint8Array(fixed.length + 4);
  text.set(fixed);
  const view = new DataView(text.buffer);
  for (let counter = 0; ; counter += 1) {
    view.setUint32(fixed.length, counter);
    const key = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
    if (!hexOf(key.subarray(0, 4)).startsWith(keyPrefix)) continue;
    return { challenge, solution: { counter, derivedKey: hexOf(key) } };
  }
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
