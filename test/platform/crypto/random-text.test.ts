import { describe, expect, it } from 'vitest';
import { randomText } from '../../../src/platform/crypto/random-text.ts';

describe('random texts', () => {
  it('have the length of their bytes in base64url', () => {
    expect([1, 12, 16, 5_000].map((bytes) => randomText(bytes))).toEqual(
      [2, 16, 22, 6_667].map((length) => expect.stringMatching(new RegExp(`^[\\w-]{${length}}$`))),
    );
  });

  it('never repeat, also where the pool is filled again', () => {
    const texts = Array.from({ length: 10_000 }, (_, i) => randomText(12 + (i % 5)));
    const parts = texts.flatMap((text) => [text.slice(0, 8), text.slice(8, 16)]);
    expect(new Set(parts).size).toBe(parts.length);
  });
});
