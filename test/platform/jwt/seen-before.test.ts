/** Which tokens are worth remembering. */
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createSeenBefore } from '../../../src/platform/jwt/seen-before.ts';

const newToken = () => `header.claims.${randomBytes(32).toString('base64url')}`;

it('knows a token from its second appearance on', () => {
  const wasSeenBefore = createSeenBefore();
  const token = newToken();
  expect([1, 2, 3].map(() => wasSeenBefore(token))).toEqual([false, true, true]);
});

it('takes almost no new token for one that was seen', () => {
  const wasSeenBefore = createSeenBefore();
  const mistaken = Array.from({ length: 20_000 }, newToken).filter(wasSeenBefore);
  expect(mistaken.length).toBeLessThan(20);
});

it('keeps nothing between two verifiers', () => {
  const token = newToken();
  createSeenBefore()(token);
  expect(createSeenBefore()(token)).toBe(false);
});
