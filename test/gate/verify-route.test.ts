import { describe, expect, it } from 'vitest';
import { createEntryTokens } from '../../src/line/entry-tokens.ts';
import { createTokenSigner } from '../../src/platform/tokens.ts';
import { createTestApp, secrets } from '../support/test-app.ts';

async function admitted() {
  const test = await createTestApp();
  for (const event of ['concert', 'other']) {
    await test.operator('PUT', `/api/admin/rooms/${event}`, { body: { maxActive: 2 } });
  }
  const token: string = (await test.as('a')('POST', '/api/queue/check/concert')).json().entryToken;
  const verify = (user: string, entryToken: string, eventId = 'concert') =>
    test.as(user)('GET', `/gate/verify?eventId=${eventId}`, { headers: { 'x-queue-entry-token': entryToken } });
  return { ...test, token, verify };
}

describe('GET /gate/verify', () => {
  it('lets through whoever carries their own token, by header or by cookie', async () => {
    const { as, token, verify } = await admitted();
    const passed = await verify('a', token);
    expect(passed.statusCode).toBe(200);
    expect(passed.json()).toMatchObject({ eventId: 'concert', visitor: 'a' });
    const headers = { cookie: `urr-entry-token=${token}` };
    expect((await as('a')('GET', '/gate/verify?eventId=concert', { headers })).statusCode).toBe(200);
  });

  it('sends whoever has no token to the line', async () => {
    const { as } = await admitted();
    const refused = await as('a')('GET', '/gate/verify?eventId=concert');
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({ error: { code: 'ENTRY_TOKEN_REQUIRED' }, redirectTo: '/queue/concert' });
  });

  it('refuses another visitor’s token, another event’s, and one nobody is known by', async () => {
    const { anyone, token, verify } = await admitted();
    const headers = { 'x-queue-entry-token': token };
    for (const refused of [
      await verify('b', token),
      await verify('a', token, 'other'),
      await anyone('GET', '/gate/verify?eventId=concert', { headers }),
    ]) {
      expect(refused.statusCode).toBe(403);
      expect(refused.json()).toMatchObject({ error: { code: 'ENTRY_TOKEN_INVALID' } });
    }
  });

  it('refuses a token once its admission has ended', async () => {
    const { as, token, verify, clock } = await admitted();
    clock.advance(606_000);
    expect((await verify('a', token)).statusCode).toBe(403);
    const renewed: string = (await as('a')('POST', '/api/queue/check/concert')).json().entryToken;
    expect((await verify('a', renewed)).statusCode).toBe(200);
    await as('a')('POST', '/api/queue/leave/concert');
    expect((await verify('a', renewed)).statusCode).toBe(403);
  });

  it('refuses forged tokens and tokens of another kind', async () => {
    const { token, verify, userToken, clock } = await admitted();
    const [header, payload, signature] = token.split('.') as [string, string, string];
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const iat = Math.floor(clock.now() / 1000);
    const wrongKind = createTokenSigner({ secret: secrets.QUEUE_ENTRY_TOKEN_SECRET, typ: 'JWT' });
    for (const forged of [
      `${header}.${encode({ ...claims, uid: 'a', exp: claims.exp + 999 })}.${signature}`,
      `${encode({ alg: 'none', typ: 'entry+jwt' })}.${payload}.`,
      wrongKind({ ...claims, iat }),
      userToken('a', claims),
      signature,
    ]) {
      expect((await verify('a', forged)).statusCode).toBe(403);
    }
  });
});

describe('entry tokens', () => {
  it('stay good across a rotation of the secret, and not after the old one is dropped', () => {
    const clock = { now: () => Date.UTC(2026, 0, 1) };
    const [old, fresh] = ['the-old-secret-0123456789-0123456789', 'the-new-secret-0123456789-0123456789'];
    const admission = {
      state: 'active',
      number: 4,
      tokenId: 'e.4',
      joinedAt: 0,
      admittedAt: clock.now(),
      expiresAt: clock.now() + 600_000,
    } as const;
    const token = createEntryTokens([old], clock).issue('concert', 'a', admission);
    expect(createEntryTokens([fresh, old], clock).verify(token)).toEqual({
      eventId: 'concert',
      visitor: 'a',
      tokenId: 'e.4',
      expiresAt: clock.now() + 600_000,
    });
    expect(createEntryTokens([fresh], clock).verify(token)).toBeUndefined();
  });
});
