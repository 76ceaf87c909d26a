import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKey } from '../../src/signing-keys/key-file.ts';
import { publish } from '../../src/signing-keys/key-file-follower.ts';
import { formatKeys, parseKeys } from '../../src/signing-keys/key-file-format.ts';
import {
  addKey,
  findSigningKey,
  LONGEST_TOKEN_MS,
  listAccepted,
  MOST_KEYS,
  retireKey,
  stateOf,
  type TokenKey,
  type TokenKeys,
} from '../../src/signing-keys/key-rules.ts';

const START = Date.parse('2027-01-01T00:00:00Z');
const toKey = (id: number, now: number, signsFrom: number): TokenKey => ({
  jwk: { kty: 'OKP', crv: 'Ed25519', x: 'x', d: 'd', kid: `key-${id}`, alg: 'EdDSA' },
  createdAt: now,
  signsFrom,
});

/** Steps of an operator and of time: the file after each, and every token that was signed, with the key that signed it. */
const steps = fc.array(
  fc.record({
    passesMs: fc.oneof(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 0, max: 40 * 86_400_000 })),
    delayMs: fc.integer({ min: 0, max: 60_000 }),
    does: fc.constantFrom('rotate' as const, 'wait' as const),
  }),
  { minLength: 1, maxLength: 40 },
);

describe('the keys of a file', () => {
  it('accept every token that was signed until it expires, however keys are rotated', () => {
    fc.assert(
      fc.property(steps, (list) => {
        let now = START;
        let file: TokenKeys = { keys: [toKey(0, now, now)] };
        const signed: { kid: string; until: number }[] = [];
        for (const [index, { passesMs, delayMs, does }] of list.entries()) {
          signed.push({ kid: findSigningKey(file.keys, now)!.jwk.kid, until: now + LONGEST_TOKEN_MS });
          now += passesMs;
          signed.push({ kid: findSigningKey(file.keys, now)!.jwk.kid, until: now + LONGEST_TOKEN_MS });
          if (does === 'rotate') {
            const rotated = addKey(file, toKey(index + 1, now, now + delayMs), now);
            if (rotated.outcome === 'rotated') file = rotated.keys;
          }
          const accepted = new Set(listAccepted(file.keys, now).map(({ jwk }) => jwk.kid));
          for (const { kid, until } of signed) if (until > now) expect(accepted).toContain(kid);
          // And published: whatever signs is accepted.
          expect(accepted).toContain(findSigningKey(file.keys, now)!.jwk.kid);
          expect(file.keys.length).toBeLessThanOrEqual(MOST_KEYS);
        }
      }),
    );
  });

  it('sign with the newest whose time has come, and publish the next one before', () => {
    const [first, second, third] = [
      toKey(1, START, START),
      toKey(2, START, START + 10_000),
      toKey(3, START, START + 20_000),
    ];
    const keys = [third, first, second];
    expect(findSigningKey(keys, START + 9_999)).toBe(first);
    expect(findSigningKey(keys, START + 10_000)).toBe(second);
    expect(findSigningKey(keys, START + 30_000)).toBe(third);
    expect(listAccepted(keys, START)).toEqual([first, second, third]);
    expect(keys.map((key) => stateOf(key, keys, START + 10_000))).toEqual(['next', 'accepted', 'signs']);
    // A clock that is behind the one of the key's maker.
    expect(findSigningKey(keys, START - 60_000)).toBe(first);
  });

  it('are dropped when their last token has expired', () => {
    const [old, current] = [toKey(1, START, START), toKey(2, START, START + 10_000)];
    const later = START + 10_000 + LONGEST_TOKEN_MS + 2 * 3_600_000;
    expect(listAccepted([old, current], later)).toEqual([current]);
    expect(addKey({ keys: [old, current] }, toKey(3, later, later), later)).toMatchObject({
      keys: { keys: [current, { jwk: { kid: 'key-3' } }] },
    });
  });

  it('are retired by their id, but not the one that signs', () => {
    const file = { keys: [toKey(1, START, START), toKey(2, START, START + 10_000)] };
    expect(retireKey(file, 'key-1', START)).toEqual({ outcome: 'signs' });
    expect(retireKey(file, 'key-9', START)).toEqual({ outcome: 'unknown' });
    expect(retireKey(file, 'key-1', START + 10_000)).toEqual({ outcome: 'retired', keys: { keys: [file.keys[1]] } });
    expect(retireKey(file, 'key-2', START)).toEqual({ outcome: 'retired', keys: { keys: [file.keys[0]] } });
  });

  it('are bounded in number', () => {
    const keys = Array.from({ length: MOST_KEYS }, (_, index) => toKey(index, START, START + index));
    expect(addKey({ keys }, toKey(99, START, START), START)).toEqual({ outcome: 'too-many' });
  });
});

describe.each(['EdDSA', 'ES256'] as const)('the text of a key file with %s', (algorithm) => {
  const key = createKey(algorithm, { now: START, signsFrom: START + 10_000 });

  it('is read as it was written', () => {
    const file: TokenKeys = { keys: [key], secretsUntil: START + 1 };
    expect(parseKeys(formatKeys(file))).toEqual(file);
  });

  it('is published without the private half', () => {
    const { text, etag } = publish([key]);
    expect(text).not.toContain(key.jwk.d);
    expect(JSON.parse(text).keys[0]).not.toHaveProperty('d');
    expect(etag).not.toBe(publish([]).etag);
  });

  it('names what is wrong without quoting a key', () => {
    const good = JSON.parse(formatKeys({ keys: [key] })).keys[0];
    const wrong: [unknown, string][] = [
      [{}, 'expected {"keys": […]}'],
      [{ keys: [] }, 'at least one key'],
      [{ keys: [{ ...good, kid: 'a b' }] }, 'keys[0].kid'],
      [{ keys: [{ ...good, alg: 'HS256' }] }, 'keys[0].alg'],
      [{ keys: [{ ...good, crv: 'X25519' }] }, `keys[0] is not a key pair for ${algorithm}`],
      [{ keys: [{ ...good, d: undefined }] }, 'keys[0].d is missing'],
      [{ keys: [{ ...good, signsFrom: 'soon' }] }, 'keys[0].signsFrom is not a time'],
      [{ keys: [good, good] }, 'two keys have the same kid'],
    ];
    for (const [file, message] of wrong) {
      expect(() => parseKeys(JSON.stringify(file))).toThrow(message);
      expect(() => parseKeys(JSON.stringify(file))).not.toThrow(key.jwk.d);
    }
    expect(() => parseKeys(`${formatKeys({ keys: [key] })}x`)).toThrow(/^is not a JSON object$/);
  });
});
