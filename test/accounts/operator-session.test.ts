/** Operator sessions: what the cookie allows and what it does not. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cookiesOf, createTestApp, secrets, type TestApp } from '../support/test-app.ts';

const session = '/api/admin/session';
const room = '/api/admin/rooms/concert';
const HOUR_MS = 3_600_000;
const fromPage = { 'sec-fetch-site': 'same-origin' };

async function signIn({ anyone }: TestApp): Promise<string> {
  const answer = await anyone('POST', session, { body: { token: secrets.ADMIN_TOKEN } });
  expect(answer.statusCode).toBe(200);
  return `fairline-operator=${cookiesOf(answer)['fairline-operator']}`;
}

function signOut({ app }: TestApp, cookie: string, headers: Record<string, string> = fromPage) {
  return app.inject({ method: 'DELETE', url: session, headers: { cookie, ...headers } });
}

function trailOf({ dataDir }: TestApp) {
  const lines = readFileSync(join(dataDir, 'audit.jsonl'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

describe('signing in as an operator', () => {
  it('gives a cookie for the right token that differs from the token and that scripts cannot read', async () => {
    const test = await createTestApp();
    const answer = await test.anyone('POST', session, { body: { token: secrets.ADMIN_TOKEN } });
    const header = String(answer.headers['set-cookie']);
    expect(header).toMatch(/^fairline-operator=[\w.-]+; Path=\/; Max-Age=1800; HttpOnly; SameSite=Strict$/);
    expect(header).not.toContain(secrets.ADMIN_TOKEN);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(JSON.stringify(trailOf(test))).not.toContain(secrets.ADMIN_TOKEN);
  });

  it('refuses a wrong token, sets no cookie, and audits it', async () => {
    const test = await createTestApp();
    const refused = await test.anyone('POST', session, { body: { token: 'a-guess' } });
    expect([refused.statusCode, refused.json().error.code]).toEqual([401, 'OPERATOR_ONLY']);
    expect(refused.headers['set-cookie']).toBeUndefined();
    await signIn(test);
    expect(trailOf(test)).toMatchObject([
      { action: 'refused sign in', from: '127.0.0.1' },
      { action: 'sign in', from: '127.0.0.1', details: { session: expect.any(String) } },
    ]);
    expect(JSON.stringify(trailOf(test))).not.toContain('a-guess');
  });

  it('names the field that is wrong', async () => {
    const { anyone } = await createTestApp();
    for (const [body, field] of [
      [{}, 'token'],
      [{ token: '' }, 'token'],
      [{ token: 5 }, 'token'],
      [{ token: 'x', more: 1 }, 'more'],
    ] as const) {
      const refused = await anyone('POST', session, { body });
      expect([refused.statusCode, refused.json().error.fields[0].field]).toEqual([400, field]);
    }
  });

  it('limits attempts per address and minute, right or wrong', async () => {
    const test = await createTestApp({ LIMIT_OPERATOR_SIGN_IN_PER_IP: '3' });
    for (let i = 0; i < 3; i += 1) {
      expect((await test.anyone('POST', session, { body: { token: 'guess' } })).statusCode).toBe(401);
    }
    const limited = await test.anyone('POST', session, { body: { token: secrets.ADMIN_TOKEN } });
    expect([limited.statusCode, limited.json().error.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    test.clock.advance(120_000);
    await signIn(test);
  });
});

describe('a session of an operator', () => {
  it('is valid for every operator endpoint, like the token', async () => {
    const test = await createTestApp();
    await test.operator('PUT', room, { body: { maxActive: 1 } });
    const cookie = await signIn(test);
    const reading = ['rooms', 'rooms/concert', 'vwr/status/concert', 'audit', 'overview'];
    for (const path of [...reading.map((name) => `/api/admin/${name}`), '/api/queue/admin/concert']) {
      expect((await test.anyone('GET', path)).statusCode, path).toBe(401);
      expect((await test.anyone('GET', path, { headers: { cookie } })).statusCode, path).toBe(200);
    }
    const headers = { cookie, ...fromPage };
    expect((await test.anyone('PUT', room, { headers, body: { maxActive: 2 } })).statusCode).toBe(200);
    expect((await test.anyone('POST', '/api/admin/vwr/activate/concert', { headers })).statusCode).toBe(200);
    expect(
      (await test.anyone('PUT', '/api/v1/admin/rooms/concert', { headers, body: { maxActive: 3 } })).statusCode,
    ).toBe(200);
  });

  const strangers: [string, Record<string, string>][] = [
    ['nothing that says where it comes from', {}],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['another origin, told by an older browser', { origin: 'http://evil.example' }],
    ['the same host over another protocol', { origin: 'https://localhost:80' }],
    ['an origin that is nobody’s', { origin: 'null' }],
    ['another site whose origin was made up', { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:80' }],
  ];
  it('is refused for changes from another site', async () => {
    const test = await createTestApp();
    await test.operator('PUT', room, { body: { maxActive: 1 } });
    const cookie = await signIn(test);
    for (const [name, headers] of strangers) {
      for (const [method, url, body] of [
        ['PUT', room, { maxActive: 9 }],
        ['POST', '/api/queue/admin/clear/concert', undefined],
        ['POST', '/api/admin/vwr/activate/concert', undefined],
      ] as const) {
        const refused = await test.anyone(method, url, { headers: { cookie, ...headers }, body });
        expect([refused.statusCode, refused.json().error.code], name).toEqual([403, 'CROSS_SITE']);
      }
      expect((await signOut(test, cookie, headers)).statusCode, name).toBe(403);
    }
    expect((await test.operator('GET', room)).json().settings.maxActive).toBe(1);
    expect((await test.anyone('GET', room, { headers: { cookie } })).statusCode).toBe(200);
  });

  it('checks the Origin header where a browser sends nothing else', async () => {
    const test = await createTestApp();
    const cookie = await signIn(test);
    const headers = { cookie, host: 'tickets.example:8080', origin: 'http://tickets.example:8080' };
    expect((await test.anyone('PUT', room, { headers, body: { maxActive: 2 } })).statusCode).toBe(201);
  });

  it('does not replace a wrong token', async () => {
    const test = await createTestApp();
    const cookie = await signIn(test);
    const headers = { cookie, authorization: 'Bearer another', ...fromPage };
    expect((await test.anyone('GET', '/api/admin/rooms', { headers })).statusCode).toBe(401);
  });

  it('expires after 30 minutes unless renewed, and after twelve hours in any case', async () => {
    const test = await createTestApp();
    const first = await signIn(test);
    const ask = async (cookie: string) => test.anyone('GET', session, { headers: { cookie } });
    test.clock.advance(HOUR_MS / 4);
    const renewed = `fairline-operator=${cookiesOf(await ask(first))['fairline-operator']}`;
    test.clock.advance(HOUR_MS / 3);
    expect((await ask(first)).json()).toEqual({ signedIn: false });
    expect((await ask(renewed)).json()).toMatchObject({ signedIn: true });
    let cookie = renewed;
    for (let passed = HOUR_MS; passed < 11.5 * HOUR_MS; passed += HOUR_MS / 4) {
      cookie = `fairline-operator=${cookiesOf(await ask(cookie))['fairline-operator']}`;
      test.clock.advance(HOUR_MS / 4);
    }
    expect((await ask(cookie)).json().signedIn).toBe(true);
    test.clock.advance(HOUR_MS);
    expect((await ask(cookie)).json()).toEqual({ signedIn: false });
    expect((await test.anyone('GET', '/api/admin/rooms', { headers: { cookie } })).statusCode).toBe(401);
  });

  it('ends with signing out, including copies of the cookie and sessions renewed from it', async () => {
    const test = await createTestApp();
    const cookie = await signIn(test);
    test.clock.advance(HOUR_MS / 4);
    const renewed = await test.anyone('GET', session, { headers: { cookie } });
    const other = `fairline-operator=${cookiesOf(renewed)['fairline-operator']}`;
    const another = await signIn(test);
    const out = await signOut(test, cookie);
    expect(out.headers['set-cookie']).toMatch(/^fairline-operator=; Path=\/; Max-Age=0;/);
    for (const copy of [cookie, other]) {
      expect((await test.anyone('GET', '/api/admin/rooms', { headers: { cookie: copy } })).statusCode).toBe(401);
    }
    expect((await test.anyone('GET', '/api/admin/rooms', { headers: { cookie: another } })).statusCode).toBe(200);
    expect(trailOf(test).at(-1)).toMatchObject({ action: 'sign out' });
  });

  it('is invalid with another operator token, as is a token of another kind', async () => {
    const test = await createTestApp();
    const cookie = await signIn(test);
    const other = await createTestApp({ ADMIN_TOKEN: 'another-operator-token' });
    expect((await other.anyone('GET', '/api/admin/rooms', { headers: { cookie } })).statusCode).toBe(401);
    for (const token of [test.userToken('a'), secrets.ADMIN_TOKEN, '', 'a.b.c']) {
      const headers = { cookie: `fairline-operator=${token}` };
      expect((await test.anyone('GET', '/api/admin/rooms', { headers })).statusCode).toBe(401);
    }
  });
});
