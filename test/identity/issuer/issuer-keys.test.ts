/** How keys of an identity provider are read again because a token names one that is missing. */
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createIssuerKeys } from '../../../src/identity/issuer/issuer-keys.ts';
import { toKeys } from '../../../src/platform/jwt/key-source.ts';
import { StoreUnavailableError } from '../../../src/platform/store-unavailable-error.ts';

const jwk = (kid: string) => ({ ...generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }), kid });

describe('a key that is missing', () => {
  function follow() {
    let now = 0;
    let ids = ['a'];
    let reads = 0;
    let isAway = false;
    const made = new Map<string, object>();
    const source = async () => {
      reads += 1;
      if (isAway) throw new Error('away');
      const keys = ids.map((id) => made.get(id) ?? made.set(id, jwk(id)).get(id)!);
      return toKeys(JSON.stringify({ keys }), 'the test');
    };
    const keys = createIssuerKeys({ source, refreshMs: 60_000, now: () => now });
    return {
      keys,
      reads: () => reads,
      rotate: (...to: string[]) => (ids = to),
      leave: () => (isAway = true),
      pass: (ms: number) => (now += ms),
    };
  }

  it('is read at once, and by one read for all who ask', async () => {
    const issuer = follow();
    await issuer.keys.require();
    issuer.pass(3_000);
    issuer.rotate('a', 'b');
    await Promise.all(Array.from({ length: 50 }, () => issuer.keys.findMissing('b')));
    expect(issuer.keys.has('b')).toBe(true);
    expect(issuer.reads()).toBe(2);
  });

  it('makes a stranger wait for the next read that is allowed, and reads no more often', async () => {
    const issuer = follow();
    await issuer.keys.require();
    // 20 ms before the next read is allowed; the real timer waits for these.
    issuer.pass(2_980);
    const waiting = Array.from({ length: 50 }, (_, at) => issuer.keys.findMissing(`made up ${at}`));
    issuer.rotate('a', 'b');
    const genuine = issuer.keys.findMissing('b');
    expect(issuer.reads()).toBe(1);
    await Promise.all([...waiting, genuine]);
    expect([issuer.reads(), issuer.keys.has('b')]).toEqual([2, true]);
  });

  it('refuses at once when too many wait', async () => {
    const issuer = follow();
    await issuer.keys.require();
    issuer.pass(2_900);
    const all = Array.from({ length: 1_001 }, (_, at) => issuer.keys.findMissing(`made up ${at}`));
    expect(all.filter((one) => one === undefined)).toHaveLength(1);
    await Promise.all(all);
  });

  it('is a reason to try again later, not to sign in again, while the keys cannot be read', async () => {
    const issuer = follow();
    await issuer.keys.require();
    issuer.leave();
    issuer.pass(3_000);
    await expect(issuer.keys.findMissing('b')).rejects.toThrow(StoreUnavailableError);
    expect(issuer.keys.has('a')).toBe(true);
    await issuer.keys.require();
  });
});
