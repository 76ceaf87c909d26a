/** Operators of a real OpenID provider: roles by claim and by invitation, and what is refused. */
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, it } from 'vitest';
import { followSignIn, type OidcProvider, startOidcProvider } from '../support/oidc-provider.ts';
import { cookiesOf, createTestApp, type TestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const CALLBACK = 'http://tickets.example/admin/callback';
const client = { clientId: 'fairline', clientSecret: 'secret-of-fairline', redirectUris: [CALLBACK] };
const users = () => ({
  admin: { email: 'Admin@example.org', email_verified: true, roles: ['fairline-viewer', 'fairline-admin'] },
  viewer: { roles: ['fairline-viewer'] },
  invited: { email: 'Invited@example.org', email_verified: true },
  unchecked: { email: 'invited@example.org', email_verified: false },
  stranger: { email: 'stranger@example.org', email_verified: true, roles: ['something'] },
});
const own = { host: 'tickets.example', 'sec-fetch-site': 'same-origin' };
const codeOf = (answer: LightMyRequestResponse) => [answer.statusCode, answer.json().error?.code];

interface Site extends TestApp {
  provider: OidcProvider;
  begin(): Promise<{ url: string; cookie: string }>;
  complete(query: string, cookie: string): Promise<LightMyRequestResponse>;
  signIn(user: string): Promise<LightMyRequestResponse>;
}

async function createSite(env: Record<string, string> = {}): Promise<Site> {
  const provider = await startOidcProvider({ clients: [client], users: users() });
  const test = await createTestApp({
    OPERATOR_ISSUER: provider.issuer,
    OPERATOR_CLIENT_ID: client.clientId,
    OPERATOR_CLIENT_SECRET: client.clientSecret,
    LIMIT_OPERATOR_SIGN_IN_PER_IP: '0',
    ...env,
  });
  const post = (url: string, body?: unknown, cookie?: string) =>
    test.anyone('POST', url, { headers: { ...own, ...(cookie && { cookie }) }, body });
  const begin = async () => {
    const answer = await post('/api/admin/session/provider');
    expect(answer.statusCode).toBe(200);
    const name = 'fairline-operator-sign-in';
    return { url: answer.json().url as string, cookie: `${name}=${cookiesOf(answer)[name]}` };
  };
  const complete = (query: string, cookie: string) => post('/api/admin/session/provider/complete', { query }, cookie);
  const signIn = async (user: string) => {
    const { url, cookie } = await begin();
    return complete((await followSignIn(url, user, CALLBACK)).search.slice(1), cookie);
  };
  return { ...test, provider, begin, complete, signIn };
}

const sessionOf = (answer: LightMyRequestResponse) => `fairline-operator=${cookiesOf(answer)['fairline-operator']}`;
const trailOf = async (site: Site) => (await site.operator('GET', '/api/admin/audit')).json();

describe('an operator of the identity provider', () => {
  it('gets the highest role of the claim, and the audit trail names them', async () => {
    const site = await createSite();
    const answer = await site.signIn('admin');
    expect(answer.json()).toMatchObject({ signedIn: true, role: 'admin', name: 'oidc:admin@example.org' });
    expect(String(answer.headers['set-cookie'])).toMatch(
      /fairline-operator=[\w.-]+; Path=\/; Max-Age=1800; HttpOnly; SameSite=Strict/,
    );
    const headers = { ...own, cookie: sessionOf(answer) };
    const changed = await site.anyone('PUT', '/api/admin/rooms/concert', { headers, body: { maxActive: 2 } });
    expect(changed.statusCode).toBe(201);
    expect(await trailOf(site)).toMatchObject([
      { action: 'create room', by: 'oidc:admin@example.org' },
      { action: 'sign in', by: 'oidc:admin@example.org', details: { subject: 'admin', role: 'admin' } },
    ]);
  });

  it('is named by the subject if there is no confirmed email, and may do only what the role may', async () => {
    const site = await createSite();
    const answer = await site.signIn('viewer');
    expect(answer.json()).toMatchObject({ role: 'viewer', name: 'oidc:viewer' });
    const headers = { ...own, cookie: sessionOf(answer) };
    expect((await site.anyone('GET', '/api/admin/rooms', { headers })).statusCode).toBe(200);
    const refused = await site.anyone('PUT', '/api/admin/rooms/concert', { headers, body: { maxActive: 2 } });
    expect(codeOf(refused)).toEqual([403, 'ROLE_REQUIRED']);
  });

  it('gets the role of an invitation, which can be changed and withdrawn while the session lasts', async () => {
    const site = await createSite();
    const refused = await site.signIn('invited');
    expect(codeOf(refused)).toEqual([403, 'NO_OPERATOR_ROLE']);
    expect(cookiesOf(refused)).not.toHaveProperty('fairline-operator');
    const invite = (role: string) =>
      site.operator('PUT', '/api/admin/operators/invitations', { body: { email: ' invited@Example.org', role } });
    expect((await invite('operator')).json()).toEqual({ email: 'invited@example.org', role: 'operator' });
    const answer = await site.signIn('invited');
    expect(answer.json()).toMatchObject({ role: 'operator' });
    const headers = { ...own, cookie: sessionOf(answer) };
    const change = async () =>
      codeOf(await site.anyone('PUT', '/api/admin/rooms/concert', { headers, body: { maxActive: 2 } }));
    expect(await change()).toEqual([201, undefined]);
    await invite('viewer');
    expect(await change()).toEqual([403, 'ROLE_REQUIRED']);
    await site.app.inject({
      method: 'DELETE',
      url: '/api/admin/operators/invitations/invited%40example.org',
      headers: { authorization: 'Bearer operator-token-of-the-tests' },
    });
    expect(await change()).toEqual([401, 'OPERATOR_ONLY']);
    expect(await trailOf(site)).toMatchObject([
      { action: 'withdraw invitation', details: { email: 'invited@example.org' } },
      { action: 'invite operator', details: { role: 'viewer' } },
      { action: 'create room' },
      { action: 'sign in', by: 'oidc:invited@example.org' },
      { action: 'invite operator', by: 'admin-token' },
      { action: 'refused sign in', by: 'oidc:invited@example.org', details: { reason: 'no role' } },
    ]);
  });

  it('is not invited by an address that the provider has not checked, nor by another role', async () => {
    const site = await createSite();
    const body = { email: 'invited@example.org', role: 'admin' };
    await site.operator('PUT', '/api/admin/operators/invitations', { body });
    expect(codeOf(await site.signIn('unchecked'))).toEqual([403, 'NO_OPERATOR_ROLE']);
    expect(codeOf(await site.signIn('stranger'))).toEqual([403, 'NO_OPERATOR_ROLE']);
  });

  it('is listed, and an admin ends their sessions; a new sign-in works', async () => {
    const site = await createSite();
    const cookie = sessionOf(await site.signIn('viewer'));
    const read = async (session: string) =>
      (await site.anyone('GET', '/api/admin/rooms', { headers: { cookie: session } })).statusCode;
    const { people } = (await site.operator('GET', '/api/admin/operators')).json();
    expect(people).toMatchObject([{ name: 'oidc:viewer', subject: 'viewer', role: 'viewer', by: 'claim' }]);
    expect(await read(cookie)).toBe(200);
    expect((await site.operator('POST', `/api/admin/operators/${people[0].id}/end-sessions`)).statusCode).toBe(200);
    expect(await read(cookie)).toBe(401);
    expect(await read(sessionOf(await site.signIn('viewer')))).toBe(200);
  });

  it('gets roles by the claim and the map of the settings', async () => {
    const env = { OPERATOR_ROLE_CLAIM: 'groups', OPERATOR_ROLES: 'sales=operator,it=admin' };
    const site = await createSite(env);
    site.provider.users.sam = { groups: ['sales'] };
    expect((await site.signIn('sam')).json()).toMatchObject({ role: 'operator' });
    expect(codeOf(await site.signIn('viewer'))).toEqual([403, 'NO_OPERATOR_ROLE']);
  });

  it('signs in right after the provider has rotated its keys', async () => {
    const site = await createSite();
    for (const _ of [1, 2]) {
      expect((await site.signIn('viewer')).statusCode).toBe(200);
      site.provider.rotateKeys({ drop: true });
    }
    expect((await site.signIn('viewer')).statusCode).toBe(200);
  });

  it('signs in at a provider with another algorithm, at the second try after a change', async () => {
    const site = await createSite();
    expect((await site.signIn('viewer')).statusCode).toBe(200);
    for (const algorithm of ['ES256', 'EdDSA'] as const) {
      site.provider.rotateKeys({ algorithm, drop: true });
      await site.signIn('viewer');
      expect((await site.signIn('viewer')).statusCode, algorithm).toBe(200);
    }
  });
});

describe('a sign-in at the identity provider', () => {
  it('uses the code flow with PKCE, state and nonce, which differ each time', async () => {
    const site = await createSite();
    const [one, two] = [new URL((await site.begin()).url), new URL((await site.begin()).url)];
    expect(Object.fromEntries(one.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'fairline',
      redirect_uri: CALLBACK,
      code_challenge_method: 'S256',
      scope: 'openid email profile',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one.searchParams.get(name)!.length, name).toBeGreaterThan(40);
      expect(one.searchParams.get(name)).not.toBe(two.searchParams.get(name));
    }
  });

  it('is refused without the cookie of this browser, with another one, twice, too late, and with a changed answer', async () => {
    const site = await createSite();
    const answerOf = async ({ url }: { url: string }) => (await followSignIn(url, 'admin', CALLBACK)).search.slice(1);
    const refusal = [403, 'PROVIDER_REFUSED'];
    const [mine, other] = [await site.begin(), await site.begin()];
    const query = await answerOf(mine);
    expect(codeOf(await site.complete(query, ''))).toEqual(refusal);
    expect(codeOf(await site.complete(query, `${mine.cookie}x`))).toEqual(refusal);
    expect(codeOf(await site.complete(query, other.cookie))).toEqual(refusal);
    const params = new URLSearchParams(query);
    for (const [name, value] of [
      ['state', 'another'],
      ['iss', 'https://evil.example'],
      ['code', 'guessed'],
    ] as const) {
      const changed = new URLSearchParams(params);
      changed.set(name, value);
      expect(codeOf(await site.complete(changed.toString(), mine.cookie)), name).toEqual(refusal);
    }
    expect(codeOf(await site.complete('error=access_denied&state=x', mine.cookie))).toEqual(refusal);
    const late = await site.begin();
    site.clock.advance(600_000);
    expect(codeOf(await site.complete(await answerOf(late), late.cookie))).toEqual(refusal);
    const again = await site.begin();
    const used = await answerOf(again);
    expect((await site.complete(used, again.cookie)).statusCode).toBe(200);
    expect(codeOf(await site.complete(used, again.cookie))).toEqual(refusal);
    expect(await trailOf(site)).toContainEqual(expect.objectContaining({ action: 'refused sign in', by: 'unknown' }));
  });

  it('is refused if the id token is signed by another key', async () => {
    const site = await createSite();
    // The token endpoint signs with keys that the key endpoint does not have any more.
    const { url, cookie } = await site.begin();
    const query = (await followSignIn(url, 'admin', CALLBACK)).search.slice(1);
    site.provider.hideKeys();
    const refused = await site.complete(query, cookie);
    expect(codeOf(refused)).toEqual([403, 'PROVIDER_REFUSED']);
    expect(cookiesOf(refused)).not.toHaveProperty('fairline-operator');
  });

  it('is limited per address', async () => {
    const site = await createSite({ LIMIT_OPERATOR_SIGN_IN_PER_IP: '2' });
    for (const _ of [1, 2]) expect((await site.complete('code=x', '')).statusCode).toBe(403);
    expect(codeOf(await site.complete('code=x', ''))).toEqual([429, 'RATE_LIMITED']);
  });

  it('does not exist without a provider', async () => {
    const test = await createTestApp();
    expect(codeOf(await test.anyone('POST', '/api/admin/session/provider'))).toEqual([404, 'NO_IDENTITY_PROVIDER']);
    const body = { query: 'code=x' };
    const completed = await test.anyone('POST', '/api/admin/session/provider/complete', { body });
    expect(codeOf(completed)).toEqual([404, 'NO_IDENTITY_PROVIDER']);
  });
});

describe('while the identity provider is away', () => {
  it('sessions go on and are renewed, and a new sign-in says what is wrong and works again afterwards', async () => {
    const site = await createSite();
    let cookie = sessionOf(await site.signIn('viewer'));
    await site.provider.stop();
    const requestsBefore = [...site.provider.requests.values()].reduce((a, b) => a + b, 0);
    for (let minutes = 0; minutes < 60; minutes += 10) {
      site.clock.advance(600_000);
      expect((await site.anyone('GET', '/api/admin/rooms', { headers: { cookie } })).statusCode).toBe(200);
      cookie = sessionOf(await site.anyone('GET', '/api/admin/session', { headers: { ...own, cookie } }));
    }
    // The discovery document is known, so the sign-in begins; it fails where the provider is needed.
    const { url, cookie: flow } = await site.begin();
    const state = new URL(url).searchParams.get('state');
    const answer = await site.complete(`code=c&state=${state}&iss=${site.provider.issuer}`, flow);
    expect(codeOf(answer)).toEqual([503, 'PROVIDER_UNAVAILABLE']);
    await site.provider.start();
    expect([...site.provider.requests.values()].reduce((a, b) => a + b, 0)).toBe(requestsBefore);
    expect((await site.signIn('viewer')).statusCode).toBe(200);
  });

  it('the program starts, and a sign-in works once the provider is there', async () => {
    const provider = await startOidcProvider({ clients: [client], users: users() });
    await provider.stop();
    const test = await createTestApp({ OPERATOR_ISSUER: provider.issuer, OPERATOR_CLIENT_ID: client.clientId });
    const begin = () => test.anyone('POST', '/api/admin/session/provider', { headers: own });
    const away = await begin();
    expect(codeOf(away)).toEqual([503, 'PROVIDER_UNAVAILABLE']);
    expect(away.headers['retry-after']).toBe('5');
    await provider.start();
    await until('the sign-in to begin', async () => (await begin()).statusCode === 200);
  });
});
