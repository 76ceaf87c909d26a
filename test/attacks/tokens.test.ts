/**
 * Changed tokens at every verifier: on Node, in the fetch handler and in Lambda@Edge. A run tries 20,000;
 * `ATTACK_TOKENS=1000000` tries more.
 */
import { createHmac } from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { keyIdOf } from '../../src/platform/jwt/verifying-key.ts';
import { createRandom } from '../../src/simulate/random.ts';
import { secrets } from '../support/test-app.ts';
import { mutations } from './mutate-token.ts';
import { createTokenWorld, EVENT, type Place } from './token-world.ts';

const COUNT = Number(process.env.ATTACK_TOKENS ?? 20_000);
const SEED = Number(process.env.ATTACK_SEED ?? 16);
const names = Object.keys(mutations);

/** What a header can carry, without what it separates by. Surrounding white space is not part of a header's value. */
const canBeSent = (text: string, genuine: string) =>
  /^[\x20-\x7e\xa1-\xff]*$/.test(text) && !/[;,]/.test(text) && text.trim() !== genuine;

describe('changed tokens', () => {
  it(`are refused by every verifier (${COUNT} tokens, seed ${SEED})`, { timeout: 3_600_000 }, async () => {
    const { genuine, places } = await createTokenWorld();
    const random = createRandom(SEED);
    const tried = new Map<string, number>();
    const accepted: string[] = [];
    const aims = places.filter((place): place is Place & { expects: string } => place.expects !== undefined);
    for (let count = 0, turn = 0; count < COUNT; turn += 1) {
      const { name, expects, accepts, isHeader } = aims[turn % aims.length]!;
      const mutation = names[Math.floor(turn / aims.length) % names.length]!;
      const original = genuine[expects];
      const text = mutations[mutation]!(original, random, Object.values(genuine));
      if (text === original || (isHeader && !canBeSent(text, original))) continue;
      count += 1;
      tried.set(name, (tried.get(name) ?? 0) + 1);
      if (await accepts(text)) accepted.push(`${name}, ${mutation}: ${JSON.stringify(text)}`);
    }
    expect(accepted.slice(0, 20)).toEqual([]);
    expect(tried.size).toBe(aims.length);
    expect(Math.min(...tried.values())).toBeGreaterThan(COUNT / aims.length / 4);
  });

  it('are refused in each of the other spellings of the last character', async () => {
    const { genuine, places } = await createTokenWorld();
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (const { name, expects, accepts } of places) {
      if (expects === undefined) continue;
      const text = genuine[expects];
      for (const char of alphabet.replace(text.at(-1)!, '')) {
        expect(await accepts(text.slice(0, -1) + char), `${name} with ${char}`).toBe(false);
      }
    }
  });

  it('are refused at the claim door, by header, query and body, with a character that is the same in its low byte', async () => {
    const { anyone, genuine } = await createTokenWorld();
    const token = genuine.waitingToken;
    const changed = token.slice(0, -1) + String.fromCharCode(token.charCodeAt(token.length - 1) + 0x100);
    const byQuery = await anyone('GET', `/api/queue/status?token=${encodeURIComponent(changed)}`);
    expect(byQuery.json().error.code).toBe('WAITING_TOKEN_INVALID');
    const byBody = await anyone('POST', '/api/queue/enter', { body: { waiting_token: changed } });
    expect(byBody.json().error.code).toBe('WAITING_TOKEN_INVALID');
    expect((await anyone('GET', `/api/queue/status?token=${token}`)).statusCode).toBe(200);
  });
});

describe('genuine tokens', () => {
  it.each([
    ['exp', '1e400'],
    ['exp', '1e300'],
    ['nbf', '-1e400'],
    ['iat', '1e400'],
    ['exp', '"9999999999"'],
  ])('with %s: %s are refused by every verifier, although the signature is right', async (claim, value) => {
    const { places, clock, device } = await createTokenWorld();
    const seconds = Math.floor(clock.now() / 1000);
    const times = { exp: String(seconds + 600), iat: String(seconds), [claim]: value };
    const written = Object.entries(times).map(([name, text]) => `"${name}":${text}`);
    const forge = (secret: string, typ: string, claims: object) => {
      const header = { alg: 'HS256', typ, kid: keyIdOf(secret) };
      const json = `{${JSON.stringify(claims).slice(1, -1)},${written.join(',')}}`;
      const signed = [JSON.stringify(header), json].map((part) => Buffer.from(part).toString('base64url')).join('.');
      return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
    };
    const { QUEUE_ENTRY_TOKEN_SECRET: entry, VWR_TOKEN_SECRET: vwr, AUTH_JWT_SECRET: auth } = secrets;
    const forged: Record<string, string> = {
      entryToken: forge(entry, 'entry+jwt', { sub: EVENT, uid: 'mina', jti: 'epoch.7' }),
      vwrToken: forge(vwr, 'vwr+jwt', { sub: EVENT, uid: device, tier: 1, pos: 7, jti: 'place.7' }),
      userSession: forge(auth, 'JWT', { sub: 'mina' }),
    };
    for (const { name, expects, accepts } of places) {
      if (expects !== undefined && expects in forged) expect(await accepts(forged[expects]!), name).toBe(false);
    }
  });

  it('of the site are accepted, however it orders and spaces the JSON', async () => {
    const { places, clock } = await createTokenWorld();
    const seconds = Math.floor(clock.now() / 1000);
    const key = new TextEncoder().encode(secrets.AUTH_JWT_SECRET);
    const token = await new SignJWT({ exp: seconds + 60, sub: 'mina', name: '민아' })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(key);
    for (const { name, expects, accepts } of places) {
      if (expects === 'userSession') expect(await accepts(token), name).toBe(true);
    }
  });
});
