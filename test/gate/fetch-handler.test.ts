import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { FetchHandlerOptions } from '../../src/gate/fetch/fetch-handler.ts';
import { createMac } from '../../src/platform/crypto/hmac.ts';
import { createTokenSigner } from '../../src/platform/jwt/tokens.ts';
import { createDevices } from '../../src/tier1/tokens/devices.ts';
import { secrets } from '../support/test-app.ts';
import { createGateWorld } from './gate-world.ts';

const BUILT = join(import.meta.dirname, '../../dist/src/gate/fetch/fetch-handler.js');
const CDN = 'cdn-secret-of-the-tests-0123456789abcdef';
const SEATS = 'https://shop.example/api/seats/events/concert';

/** The built file as an edge runtime loads it; a function stands in for fetch, the site and the line. */
async function createEdge(options: Partial<FetchHandlerOptions> = {}, active: unknown = { activeEvents: ['concert'] }) {
  const { createFetchHandler } = (await import(
    pathToFileURL(BUILT).href
  )) as typeof import('../../src/gate/fetch/fetch-handler.ts');
  const world = createGateWorld();
  const { device, token } = createDevices([secrets.VWR_TOKEN_SECRET], world.clock).create();
  const passedOn: Request[] = [];
  const asked: Request[] = [];
  const line = { verdict: 200, active };
  const send = async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init);
    if (!request.url.startsWith('https://line.example/')) {
      passedOn.push(request);
      return new Response(await request.text());
    }
    asked.push(request);
    return request.url.endsWith('/vwr-active.json')
      ? Response.json(line.active)
      : new Response('', { status: line.verdict });
  };
  const handle = createFetchHandler({
    secrets: {
      entry: ['the-secret-of-before-0123456789-0123456789', secrets.QUEUE_ENTRY_TOKEN_SECRET],
      vwr: secrets.VWR_TOKEN_SECRET,
      auth: secrets.AUTH_JWT_SECRET,
      guest: secrets.GUEST_SECRET,
      cdn: CDN,
    },
    vwrEvents: ['concert'],
    fetch: send as typeof fetch,
    now: world.clock.now,
    ...options,
  });
  const sent = (entryToken?: string, vwrToken?: string, who = 'mina'): Record<string, string> => ({
    authorization: `Bearer ${world.user(who)}`,
    cookie: [
      `fairline-device=${token}`,
      ...(entryToken === undefined ? [] : [`urr-entry-token=${entryToken}`]),
      ...(vwrToken === undefined ? [] : [`urr-vwr-token=${vwrToken}`]),
    ].join('; '),
  });
  const vwr = world.vwr('concert', device);
  return { ...world, handle, passedOn, asked, line, sent, vwr, entry: world.entry() };
}

describe('the gate in an edge runtime', () => {
  it('refuses requests without tokens and forwards those with', async () => {
    const { handle, passedOn, sent, entry, vwr } = await createEdge();
    const refused = await handle(new Request(SEATS));
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error: { code: 'VWR_REQUIRED' }, redirectTo: '/vwr/concert' });
    const page = await handle(new Request('https://shop.example/events/concert'));
    expect([page.status, page.headers.get('location')]).toEqual([302, '/vwr/concert?to=%2Fevents%2Fconcert']);
    const headers = { referer: 'https://shop.example/events/concert?row=4' };
    const posted = await handle(new Request(SEATS, { method: 'POST', headers }));
    expect(await posted.json()).toMatchObject({ redirectTo: '/vwr/concert?to=%2Fevents%2Fconcert%3Frow%3D4' });
    expect((await handle(new Request(SEATS, { headers: sent(undefined, vwr) }))).status).toBe(403);
    expect(passedOn).toEqual([]);
    const body = { method: 'POST', body: 'seat 4' };
    const passed = await handle(new Request(`${SEATS}?row=1`, { ...body, headers: sent(entry, vwr) }));
    expect([passed.status, await passed.text()]).toEqual([200, 'seat 4']);
    expect(passedOn[0]).toMatchObject({ url: `${SEATS}?row=1`, method: 'POST', redirect: 'manual' });
  });

  it('refuses what the gate on Node refuses', async () => {
    const { handle, sent, entry, vwr, clock, entryTokens } = await createEdge();
    const status = async (...tokens: Parameters<typeof sent>) =>
      (await handle(new Request(SEATS, { headers: sent(...tokens) }))).status;
    const [header, claims, signature] = entry.split('.') as [string, string, string];
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const genuine = JSON.parse(Buffer.from(claims, 'base64url').toString());
    const sign = (secret: string, typ: string) => createTokenSigner({ secret, typ })(genuine);
    const ofAnotherKey = `${encode({ alg: 'HS256', typ: 'entry+jwt', kid: 'another' })}.${claims}`;
    expect(await status(entry, vwr)).toBe(200);
    const admission = {
      number: 7,
      tokenId: 'e.7',
      joinedAt: 0,
      admittedAt: clock.now(),
      expiresAt: clock.now() + 600_000,
    };
    for (const forged of [
      `${encode({ alg: 'none', typ: 'entry+jwt' })}.${claims}.`,
      `${header}.${encode({ ...genuine, uid: 'jun' })}.${signature}`,
      sign(secrets.VWR_TOKEN_SECRET, 'entry+jwt'),
      sign(secrets.QUEUE_ENTRY_TOKEN_SECRET, 'vwr+jwt'),
      sign(secrets.QUEUE_ENTRY_TOKEN_SECRET, 'JWT'),
      `${ofAnotherKey}.${createMac(secrets.QUEUE_ENTRY_TOKEN_SECRET, 2048)(ofAnotherKey)}`,
      entryTokens.issue('other', 'mina', { state: 'active', ...admission }),
      entryTokens.issue('concert', 'jun', { state: 'active', ...admission }),
      'x'.repeat(3000),
    ]) {
      expect(await status(forged, vwr)).toBe(403);
    }
    expect(await status(entry, vwr, 'jun')).toBe(403);
    expect(await status(entry, createGateWorld().vwr('concert', 'another-device'))).toBe(403);
    clock.advance(606_000);
    expect(await status(entry, vwr)).toBe(403);
  });

  it('identifies guests, and users by their session cookie', async () => {
    const { handle, vwr, entryTokens, identity, clock, user, sent } = await createEdge();
    const { visitor, token } = identity.createGuest();
    const admission = {
      number: 7,
      tokenId: 'e.7',
      joinedAt: 0,
      admittedAt: clock.now(),
      expiresAt: clock.now() + 600_000,
    };
    const ask = async (who: string, cookie: string) => {
      const entryToken = entryTokens.issue('concert', who, { state: 'active', ...admission });
      const headers = { cookie: `${sent(entryToken, vwr).cookie}; ${cookie}` };
      return (await handle(new Request(SEATS, { headers }))).status;
    };
    expect(await ask(visitor.id, `fairline-guest=${token}`)).toBe(200);
    expect(await ask('mina', `fairline-session=${user('mina')}`)).toBe(200);
    expect(await ask('jun', `fairline-session=${user('mina')}`)).toBe(403);
    expect(await ask('mina', '')).toBe(403);
  });

  it('strips spoofed headers, and vouches for requests whose entry token it has checked', async () => {
    const { handle, passedOn, sent, entry, vwr } = await createEdge();
    const spoofed = { 'x-user-id': 'admin', 'x-cloudfront-verified': 'guess', 'x-http-method-override': 'PUT' };
    await handle(new Request(SEATS, { headers: { ...sent(entry, vwr), ...spoofed } }));
    await handle(new Request('https://shop.example/events/concert', { headers: { ...sent(entry, vwr), ...spoofed } }));
    expect(passedOn.map(({ headers }) => headers.get('x-cloudfront-verified'))).toEqual([CDN, null]);
    for (const { headers } of passedOn) {
      expect([headers.get('x-user-id'), headers.get('x-http-method-override')]).toEqual([null, null]);
    }
  });

  it('fetches the active events at most once per second, and treats all as active until then', async () => {
    const { handle, asked, line, clock } = await createEdge({ lineUrl: 'https://line.example' }, { wrong: 'answer' });
    const location = async () =>
      (await handle(new Request('https://shop.example/events/other'))).headers.get('location');
    expect(await location()).toBe('/vwr/other?to=%2Fevents%2Fother');
    line.active = { activeEvents: ['concert'] };
    expect(await location()).toBe('/vwr/other?to=%2Fevents%2Fother');
    expect(asked).toHaveLength(1);
    clock.advance(1_000);
    // After a failure the lookup is repeated in the background: a line that is away must not delay every request.
    await location();
    expect(await location()).toBeNull();
  });

  it('forwards the line’s paths to the instance, and checks strict rules with it', async () => {
    const rules = { rules: [{ path: '/buy/{eventId}', require: 'entry', strict: true }], otherwise: 'pass' };
    const { handle, line, sent, entry, asked } = await createEdge({ lineUrl: 'https://line.example', rules });
    await handle(new Request('https://shop.example/queue/concert'));
    expect(asked.at(-1)?.url).toBe('https://line.example/queue/concert');
    const buy = async () =>
      (await handle(new Request('https://shop.example/buy/concert', { headers: sent(entry) }))).status;
    expect(await buy()).toBe(200);
    line.verdict = 403;
    expect(await buy()).toBe(403);
  });

  it('rejects invalid rules, and strict rules without lineUrl', async () => {
    await expect(createEdge({ rules: { rules: [{ path: 'x' }] } })).rejects.toThrow(/rules\[0\]\.path must be/);
    const strict = { rules: [{ path: '/{eventId}', require: 'entry', strict: true }], otherwise: 'pass' };
    await expect(createEdge({ rules: strict })).rejects.toThrow(/lineUrl/);
  });
});

describe('the package export fairline/gate', () => {
  it('is the built handler', () => {
    const { exports } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
    expect(join(import.meta.dirname, '../..', exports['./gate'].default)).toBe(BUILT);
  });

  it('imports no Node module, directly or indirectly, and no package except jose', () => {
    const { files, packages } = importGraph(BUILT);
    expect(files.size).toBeGreaterThan(10);
    expect([...packages]).toEqual(['jose']);
    const offenders = [...files].filter((path) =>
      /\b(process|Buffer|require)\b\s*[.(]/.test(readFileSync(path, 'utf8')),
    );
    expect(offenders).toEqual([]);
  });
});

/** All files that this one loads, and all packages that they import. */
function importGraph(entry: string) {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (path: string) => {
    if (files.has(path) || !existsSync(path)) return;
    files.add(path);
    for (const [, name] of readFileSync(path, 'utf8').matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)) {
      if (name!.startsWith('.')) visit(join(dirname(path), name!));
      else {
        packages.add(name!);
        if (name === 'jose') visit(createRequire(path).resolve('jose'));
      }
    }
  };
  visit(entry);
  return { files, packages };
}
