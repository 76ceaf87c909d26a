import { describe, expect, it } from 'vitest';
import { createEntryTokens } from '../../src/line/tokens/entry-tokens.ts';
import { type Claims, createTokenSigner } from '../../src/platform/jwt/tokens.ts';
import { createVwrTokens } from '../../src/tier1/tokens/vwr-tokens.ts';
import { createTestClock } from '../support/test-clock.ts';

const secret = 'vwr-secret-of-the-tests-0123456789abcdef';
const turn = { eventId: 'concert', device: 'device-1', position: 17, tokenId: 'place-1' };

describe('vwr tokens', () => {
  it('are valid for ten minutes', () => {
    const clock = createTestClock();
    const { issue, verify } = createVwrTokens([secret], clock);
    const token = issue(turn);
    expect(verify(token)).toEqual({ ...turn, expiresAt: clock.now() + 600_000 });
    clock.advance(605_001);
    expect(verify(token)).toBeUndefined();
  });

  it('stay valid after their secret was rotated, but not once it is removed', () => {
    const clock = createTestClock();
    const token = createVwrTokens([secret], clock).issue(turn);
    const newSecret = 'the-next-secret-of-the-tests-0123456789';
    expect(createVwrTokens([newSecret, secret], clock).verify(token)).toMatchObject(turn);
    expect(createVwrTokens([newSecret], clock).verify(token)).toBeUndefined();
  });

  it('are not accepted as entry tokens, nor the reverse, even with the same secret', () => {
    const clock = createTestClock();
    const vwrTokens = createVwrTokens([secret], clock);
    const entryTokens = createEntryTokens([secret], clock);
    const admission = {
      state: 'active',
      number: 17,
      tokenId: 'e.17',
      joinedAt: 0,
      admittedAt: 0,
      expiresAt: 9e15,
    } as const;
    expect(entryTokens.verify(vwrTokens.issue(turn))).toBeUndefined();
    expect(vwrTokens.verify(entryTokens.issue('concert', 'device-1', admission))).toBeUndefined();
  });

  it('are refused with malformed claims, even if signed with the right secret', () => {
    const clock = createTestClock();
    const { verify } = createVwrTokens([secret], clock);
    const sign = createTokenSigner({ secret, typ: 'vwr+jwt' });
    const iat = Math.floor(clock.now() / 1000);
    const good: Claims & { iat: number } = {
      sub: 'concert',
      uid: 'd',
      tier: 1,
      pos: 3,
      jti: 'j',
      iat,
      exp: iat + 600,
    };
    expect(verify(sign(good))).toBeDefined();
    const wrong = [{ tier: 2 }, { pos: 0 }, { pos: 1.5 }, { pos: '3' }, { uid: 7 }, { jti: undefined }];
    for (const claims of wrong) expect(verify(sign({ ...good, ...claims }))).toBeUndefined();
  });
});
