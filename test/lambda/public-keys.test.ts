/** The gate in an edge runtime with public keys: from a URL, inline, and beside secrets. */
import { describe, expect, it } from 'vitest';
import { createEdgeHandler } from '../../lambda/edge-queue-check.ts';
import { createFetchHandler, type FetchHandlerOptions } from '../../src/gate/fetch/fetch-handler.ts';
import { createGuests } from '../../src/identity/guests.ts';
import { createEntryTokens } from '../../src/line/tokens/entry-tokens.ts';
import { createPrivateSigningKey } from '../../src/platform/jwt/signing-key.ts';
import { createKey } from '../../src/signing-keys/key-file.ts';
import { publish } from '../../src/signing-keys/key-file-follower.ts';
import type { TokenKey } from '../../src/signing-keys/key-rules.ts';
import type { KindKeys } from '../../src/signing-keys/kind-keys.ts';
import { verifyOnly } from '../../src/signing-keys/kind-keys.ts';
import { DEFAULT_NAME } from '../../src/signing-keys/token-names.ts';
import { createDevices } from '../../src/tier1/tokens/devices.ts';
import { createVwrTokens } from '../../src/tier1/tokens/vwr-tokens.ts';
import { createTestClock } from '../support/test-clock.ts';

const SEATS = 'https://shop.example/api/seats/events/concert';
const JWKS = 'https://line.example/.well-known/jwks.json';

function createWorld(options: Partial<FetchHandlerOptions> = {}, alg: 'EdDSA' | 'ES256' = 'EdDSA') {
  const clock = createTestClock();
  const keys = [1, 2].map(() => createKey(alg, { now: 0, signsFrom: 0 }));
  const line = { published: [keys[0]!] as TokenKey[], isAway: false, asked: 0 };
  const send = async (input: string | URL | Request) => {
    if (String(input) !== JWKS) return new Response('site');
    line.asked += 1;
    if (line.isAway) throw new TypeError('fetch failed');
    return new Response(publish(line.published).text);
  };
  const handle = createFetchHandler({
    ...{ jwks: JWKS, vwrEvents: ['concert'], fetch: send as typeof fetch, now: clock.now },
    ...options,
  });
  const kindKeys = (key: TokenKey, written = { iss: DEFAULT_NAME, aud: DEFAULT_NAME }): KindKeys => {
    const signing = createPrivateSigningKey(key.jwk);
    const names = { issuer: DEFAULT_NAME, audience: DEFAULT_NAME, written };
    return { ...verifyOnly({ keys: [] }, names), currentKey: () => signing };
  };
  const guest = createGuests({ guestKeys: ['a secret that only the line has, of guests'], clock }).create();
  const device = createDevices(['a secret that only the line has, of devices'], clock).create();
  const admission = {
    state: 'active' as const,
    number: 1,
    tokenId: 'e.1',
    joinedAt: 0,
    admittedAt: clock.now(),
    expiresAt: clock.now() + 600_000,
  };
  const entry = (key = keys[0]!, names?: { iss: string; aud: string }) =>
    createEntryTokens(kindKeys(key, names), clock).issue('concert', guest.visitor.id, admission);
  const vwr = createVwrTokens(kindKeys(keys[0]!), clock).issue({
    eventId: 'concert',
    device: device.device,
    position: 1,
    tokenId: 'p.1',
  });
  const cookie = (token: string, who = guest.token) =>
    `fairline-guest=${who}; fairline-device=${device.token}; urr-vwr-token=${vwr}; urr-entry-token=${token}`;
  const status = async (token: string, who?: string) =>
    (await handle(new Request(SEATS, { headers: { cookie: cookie(token, who) } }))).status;
  return { clock, keys, line, status, entry, guest, cookie, handle };
}

describe('an edge runtime with public keys', () => {
  it.each(['EdDSA', 'ES256'] as const)('verifies both tokens, guest and device with %s and no secret', async (alg) => {
    const { status, entry, guest } = createWorld({}, alg);
    expect(await status(entry())).toBe(200);
    const [head, , tail] = guest.token.split('.');
    const thief = Buffer.from(JSON.stringify({ sub: guest.visitor.id, key: 'invented', iat: 0, exp: 9e9 })).toString(
      'base64url',
    );
    expect(await status(entry(), `${head}.${thief}.${tail}`)).toBe(403);
    expect(await status(entry(undefined, { iss: 'another', aud: DEFAULT_NAME }))).toBe(403);
    expect(await status(entry(undefined, { iss: DEFAULT_NAME, aud: 'another' }))).toBe(403);
    expect(await status(`${entry().slice(0, -8)}AAAAAAAA`)).toBe(403);
  });

  it('finds a new key when a token names it, at most once a second, and forgets a retired one', async () => {
    const { clock, keys, line, status, entry } = createWorld({ vwrEvents: [] });
    expect(await status(entry())).toBe(200);
    line.published = [keys[0]!, keys[1]!];
    clock.advance(1_000);
    expect([await status(entry(keys[1])), await status(entry())]).toEqual([200, 200]);
    const { asked } = line;
    for (let count = 0; count < 20; count += 1) {
      expect(await status(entry(createKey('EdDSA', { now: 0, signsFrom: 0 })))).toBe(403);
    }
    expect(line.asked).toBe(asked);
    line.published = [keys[1]!];
    clock.advance(10_000);
    expect([await status(entry()), await status(entry(keys[1]))]).toEqual([403, 200]);
  });

  it('keeps its keys while the URL is away', async () => {
    const { clock, line, status, entry } = createWorld();
    expect(await status(entry())).toBe(200);
    line.isAway = true;
    clock.advance(300_000);
    expect(await status(entry())).toBe(200);
    // Beyond the end of the token, with the tolerance.
    clock.advance(306_000);
    expect(await status(entry())).toBe(403);
  });

  it('takes the document itself, in Lambda@Edge too', async () => {
    const inline = createWorld();
    const jwks = JSON.parse(publish([inline.keys[0]!]).text);
    const handler = createEdgeHandler({ jwks, vwrEvents: [], now: inline.clock.now });
    const ask = (token: string) =>
      handler({
        Records: [
          {
            cf: {
              request: {
                method: 'GET',
                uri: '/api/seats/events/concert',
                querystring: '',
                headers: { cookie: [{ value: inline.cookie(token) }] },
              },
            },
          },
        ],
      });
    expect(await ask(inline.entry())).toHaveProperty('uri');
    expect(await ask(inline.entry(inline.keys[1]!))).toMatchObject({ status: '403' });
  });

  it('accepts tokens of a secret beside those of keys', async () => {
    const secret = 'an entry secret of the line from before the keys';
    const { status, entry, guest, clock } = createWorld({ secrets: { entry: secret } });
    const admission = {
      state: 'active' as const,
      number: 1,
      tokenId: 'e.2',
      joinedAt: 0,
      admittedAt: clock.now(),
      expiresAt: clock.now() + 600_000,
    };
    const old = createEntryTokens([secret], clock).issue('concert', guest.visitor.id, admission);
    expect([await status(old), await status(entry())]).toEqual([200, 200]);
  });
});
