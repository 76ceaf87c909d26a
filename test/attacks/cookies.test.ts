/** A sibling subdomain or a page without TLS plants its own cookie. It must not replace the identity of a visitor. */
import { describe, expect, it } from 'vitest';
import { createFetchHandler } from '../../src/gate/fetch/fetch-handler.ts';
import { cookiesOf, createTestApp, secrets } from '../support/test-app.ts';

const tls = { TRUST_PROXY: '127.0.0.1' };
const https = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'shop.example' };

async function open(env: Record<string, string> = tls) {
  const test = await createTestApp({ ...env, LIMIT_GUEST_JOIN_PER_IP: '0' });
  await test.operator('PUT', '/api/admin/rooms/concert', { body: { maxActive: 0 } });
  await test.operator('PUT', '/api/admin/rooms/early', { body: { maxActive: 0 } });
  await test.operator('POST', '/api/admin/vwr/activate/early');
  const join = async (headers: Record<string, string>) => test.anyone('POST', '/api/queue/check/concert', { headers });
  return { ...test, join };
}

describe('identity cookies', () => {
  it('have a __Host- name over TLS, with the attributes that it requires', async () => {
    const { anyone, join } = await open();
    const answers = [
      await join(https),
      await anyone('POST', '/vwr/assign/early', { headers: https }),
      await anyone('POST', '/api/admin/session', { headers: https, body: { token: secrets.ADMIN_TOKEN } }),
    ];
    const cookies = answers.flatMap(({ headers }) => headers['set-cookie'] ?? []);
    const identities = cookies.filter((cookie) => /^(__Host-)?fairline-(guest|device|operator)=/.test(cookie));
    expect(identities.map((cookie) => cookie.split('=')[0]).sort()).toEqual([
      '__Host-fairline-device',
      '__Host-fairline-guest',
      '__Host-fairline-operator',
    ]);
    for (const cookie of identities) {
      expect(cookie).toMatch(/; Path=\/; .*; Secure$/);
      expect(cookie).not.toMatch(/domain/i);
    }
  });

  it('keep their plain names where there is no TLS', async () => {
    const { join } = await open();
    expect(Object.keys(cookiesOf(await join({})))).toEqual(['fairline-guest']);
  });

  it('win over a plain cookie that somebody planted, in whatever order they arrive', async () => {
    const { join } = await open();
    const victim = await join(https);
    const attacker = await join({});
    const own = `__Host-fairline-guest=${cookiesOf(victim)['__Host-fairline-guest']}`;
    const planted = `fairline-guest=${cookiesOf(attacker)['fairline-guest']}`;
    for (const cookie of [`${own}; ${planted}`, `${planted}; ${own}`]) {
      const again = await join({ ...https, cookie });
      expect(again.json().number).toBe(victim.json().number);
      expect(again.headers['set-cookie']).toBeUndefined();
    }
  });

  it('of the previous release are still read over TLS', async () => {
    const { join } = await open();
    const before = await join({});
    const cookie = `fairline-guest=${cookiesOf(before)['fairline-guest']}`;
    expect((await join({ ...https, cookie })).json().number).toBe(before.json().number);
  });

  it('are removed under both names, so that the old one does not come back', async () => {
    const { anyone } = await open();
    const begun = await anyone('POST', '/api/admin/session', { headers: https, body: { token: secrets.ADMIN_TOKEN } });
    const cookie = `__Host-fairline-operator=${cookiesOf(begun)['__Host-fairline-operator']}`;
    const headers = { ...https, cookie, 'sec-fetch-site': 'same-origin' };
    const ended = await anyone('DELETE' as 'POST', '/api/admin/session', { headers });
    expect(cookiesOf(ended)).toEqual({ '__Host-fairline-operator': '', 'fairline-operator': '' });
  });

  it('do not change the names of the tokens that other systems read', async () => {
    const { operator, as } = await open();
    await operator('PUT', '/api/admin/rooms/concert', { body: { maxActive: 5 } });
    const inside = await as('mina')('POST', '/api/queue/check/concert', { headers: https });
    expect(Object.keys(cookiesOf(inside))).toEqual(['urr-entry-token']);
  });
});

describe('a gate outside the process', () => {
  it('reads both names, and prefers the __Host- one', async () => {
    const { context } = await open();
    const now = context.clock.now();
    const [signed, other] = [context.identity.createGuest(), context.identity.createGuest()];
    const [device, stranger] = [context.tier1.devices.create(), context.tier1.devices.create()];
    const place = { number: 7, tokenId: 'e.7', joinedAt: 0, admittedAt: now, expiresAt: now + 600_000 };
    const entry = context.entryTokens.issue('concert', signed.visitor.id, { state: 'active', ...place });
    const vwr = context.vwrTokens.issue({ eventId: 'concert', device: device.device, position: 7, tokenId: 'v.7' });
    const handle = createFetchHandler({
      secrets: {
        entry: secrets.QUEUE_ENTRY_TOKEN_SECRET,
        vwr: secrets.VWR_TOKEN_SECRET,
        auth: secrets.AUTH_JWT_SECRET,
        guest: secrets.GUEST_SECRET,
      },
      vwrEvents: ['concert'],
      fetch: (async () => new Response('seats')) as typeof fetch,
      now: () => now,
    });
    const ask = async (...identities: string[]) => {
      const cookie = [`urr-entry-token=${entry}`, `urr-vwr-token=${vwr}`, ...identities].join('; ');
      const request = new Request('https://shop.example/api/seats/events/concert', { headers: { cookie } });
      return (await handle(request)).status;
    };
    const guest = (name: string, { token }: { token: string }) => `${name}fairline-guest=${token}`;
    const byDevice = (name: string, { token }: { token: string }) => `${name}fairline-device=${token}`;
    const H = '__Host-';
    expect(await ask(guest('', signed), byDevice('', device))).toBe(200);
    expect(await ask(guest(H, signed), byDevice(H, device))).toBe(200);
    const planted = [guest('', other), byDevice('', stranger)];
    expect(await ask(...planted, guest(H, signed), byDevice(H, device))).toBe(200);
    expect(await ask(guest('', signed), byDevice('', device), guest(H, other))).toBe(403);
    expect(await ask(guest('', signed), byDevice('', device), byDevice(H, stranger))).toBe(403);
  });
});

describe('the entry cookie', () => {
  const entryCookies = ({ headers }: { headers: Record<string, unknown> }) =>
    [headers['set-cookie'] ?? []].flat().filter((cookie) => String(cookie).startsWith('urr-entry-token='));

  it('is for the server alone, unless ENTRY_COOKIE_READABLE is on, and then nothing else is readable', async () => {
    for (const [setting, flags] of [
      ['off', /^urr-entry-token=[\w.-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/],
      ['on', /^urr-entry-token=[\w.-]+; Path=\/; Max-Age=\d+; SameSite=Lax$/],
    ] as const) {
      const { operator, join } = await open({ ENTRY_COOKIE_READABLE: setting });
      await operator('PUT', '/api/admin/rooms/concert', { body: { maxActive: 10 } });
      const joined = await join({});
      expect(entryCookies(joined)).toEqual([expect.stringMatching(flags)]);
      const others = [joined.headers['set-cookie'] ?? []].flat().filter((cookie) => !cookie.startsWith('urr-entry'));
      expect(others).toEqual([expect.stringMatching(/^fairline-guest=.*; HttpOnly;/)]);
    }
  });
});
