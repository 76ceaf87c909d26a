import type { LightMyRequestResponse } from 'fastify';
import { expect, it } from 'vitest';
import { type ShopApp, shareShopDatabase } from '../shop/shop-app.ts';
import { unique } from '../shop/shop-fixture.ts';
import { describeWithPostgres } from '../support/postgres-server.ts';
import { cookiesOf, type TestApp } from '../support/test-app.ts';

const SESSION = 'fairline-session';
const PASSWORD = 'correct horse';

/** A browser: keeps cookies. */
function openBrowser({ anyone }: TestApp) {
  const jar: Record<string, string> = {};
  const ask = async (
    method: 'GET' | 'POST' | 'PUT',
    url: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => {
    const cookie = Object.entries(jar)
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
    const answer = await anyone(method, url, {
      headers: { ...(cookie === '' ? {} : { cookie }), ...headers },
      ...(body === undefined ? {} : { body }),
    });
    for (const [name, value] of Object.entries(cookiesOf(answer))) {
      if (value === '') delete jar[name];
      else jar[name] = value;
    }
    return answer;
  };
  const sign = (how: 'register' | 'login', email: string, password = PASSWORD) =>
    ask('POST', `/api/auth/${how}`, { email, password });
  return { jar, ask, sign };
}

const setCookies = (answer: LightMyRequestResponse) => [answer.headers['set-cookie'] ?? []].flat();
const codeOf = (answer: LightMyRequestResponse) => [answer.statusCode, answer.json().error?.code];

describeWithPostgres('accounts', () => {
  const { createShopApp } = shareShopDatabase();
  const email = () => `${unique('ann')}@example.org`;

  it('support registering, signing in and signing out, with a cookie that scripts cannot read', async () => {
    const app = await createShopApp({ COOKIE_SECURE: 'on' });
    const browser = openBrowser(app);
    const ann = email();
    const registered = await browser.ask('POST', '/api/auth/register', { email: ann, password: PASSWORD, name: 'Ann' });
    expect(registered.statusCode).toBe(201);
    expect(registered.json()).toEqual({
      id: registered.json().userId,
      userId: expect.stringMatching(/^u_/),
      kind: 'user',
      email: ann,
      name: 'Ann',
      role: 'user',
    });
    expect(registered.headers['cache-control']).toBe('no-store');
    expect(setCookies(registered)[0]).toMatch(
      /^__Host-fairline-session=[^;]+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect((await browser.ask('GET', '/api/auth/me')).json()).toEqual(registered.json());
    const stolen = { [SESSION]: browser.jar[`__Host-${SESSION}`]! };
    expect((await browser.ask('POST', '/api/auth/logout')).json()).toEqual({ loggedOut: true });
    // It signs nobody in; see test/attacks/passwords.test.ts.
    expect(Object.keys(browser.jar)).toEqual(['__Host-fairline-browser']);
    expect(codeOf(await browser.ask('GET', '/api/auth/me'))).toEqual([401, 'UNAUTHENTICATED']);
    Object.assign(browser.jar, stolen);
    expect(codeOf(await browser.ask('GET', '/api/auth/me'))).toEqual([401, 'INVALID_TOKEN']);
    await app.context.accounts!.sessions.runOnce();
    expect(codeOf(await browser.ask('GET', '/api/auth/me'))).toEqual([401, 'INVALID_TOKEN']);
    const again = openBrowser(app);
    expect((await again.sign('login', ann.toUpperCase())).json()).toEqual(registered.json());
  });

  it('are one per email, even for simultaneous requests; a repeated request gets the same response', async () => {
    const app = await createShopApp();
    const ann = email();
    const answers = await Promise.all([
      openBrowser(app).sign('register', ann),
      openBrowser(app).sign('register', ann.toUpperCase()),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 201]);
    expect(answers[0]!.json()).toEqual(answers[1]!.json());
    expect(codeOf(await openBrowser(app).sign('register', ann, 'another one'))).toEqual([409, 'EMAIL_TAKEN']);
  });

  it('respond the same to a wrong password and to an unknown email', async () => {
    const app = await createShopApp();
    const ann = email();
    await openBrowser(app).sign('register', ann);
    const wrong = await openBrowser(app).sign('login', ann, 'wrong password');
    const nobody = await openBrowser(app).sign('login', email(), 'wrong password');
    expect(codeOf(wrong)).toEqual([401, 'WRONG_CREDENTIALS']);
    expect(wrong.json().error.message).toBe(nobody.json().error.message);
    expect(setCookies(wrong)).toEqual([]);
  });

  it('limit password guesses by account and by address', async () => {
    const app = await createShopApp({ LIMIT_WRONG_PASSWORD_PER_ACCOUNT: '1', LIMIT_SIGN_IN_PER_IP: '4' });
    const ann = email();
    await openBrowser(app).sign('register', ann);
    await openBrowser(app).sign('login', ann, 'wrong password');
    const limited = await openBrowser(app).sign('login', ann);
    expect(codeOf(limited)).toEqual([429, 'RATE_LIMITED']);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    for (let i = 0; i < 2; i += 1) await openBrowser(app).sign('login', email());
    expect(codeOf(await openBrowser(app).sign('login', email()))).toEqual([429, 'RATE_LIMITED']);
    app.clock.advance(120_000);
    expect((await openBrowser(app).sign('login', ann)).statusCode).toBe(200);
  });

  it.each([
    [{ email: 'ann', password: PASSWORD }, 'email must be an address like name@example.org'],
    [{ email: 'ann@example.org', password: 'short' }, 'password must NOT have fewer than 8 characters'],
    [{ email: 'ann@example.org', password: 'x'.repeat(129) }, 'password must NOT have more than 128 characters'],
    [{ email: 'ann@example.org' }, 'password is required'],
    [{ email: 'ann@example.org', password: PASSWORD, role: 'operator' }, 'role is not a known field'],
  ])('name the field of bad input: %j', async (body, message) => {
    const app = await createShopApp();
    const answer = await openBrowser(app).ask('POST', '/api/auth/register', body);
    expect([answer.statusCode, answer.json().error.message]).toEqual([400, message]);
  });

  it('can have the operator role, with a strict cookie that only our own pages can use for changes', async () => {
    const app = await createShopApp();
    const ann = email();
    await openBrowser(app).sign('register', ann);
    const role = { email: ann, role: 'operator' };
    expect(codeOf(await openBrowser(app).ask('PUT', '/api/admin/accounts/role', role))).toEqual([401, 'OPERATOR_ONLY']);
    expect((await app.operator('PUT', '/api/admin/accounts/role', { body: role })).json()).toMatchObject(role);
    expect(
      (await app.operator('PUT', '/api/admin/accounts/role', { body: { ...role, email: email() } })).statusCode,
    ).toBe(404);
    const browser = openBrowser(app);
    const signedIn = await browser.sign('login', ann);
    expect(setCookies(signedIn).find((text) => text.startsWith('fairline-operator='))).toContain('SameSite=Strict');
    const change = async (headers: Record<string, string>) =>
      (await browser.ask('PUT', `/api/admin/rooms/${app.eventId}`, { maxActive: 7 }, headers)).statusCode;
    expect((await browser.ask('GET', '/api/admin/rooms')).statusCode).toBe(200);
    expect(await change({ 'sec-fetch-site': 'same-origin' })).toBe(200);
    expect(await change({ origin: 'http://shop.example', host: 'shop.example' })).toBe(200);
    expect(await change({ 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await change({ 'sec-fetch-site': 'same-site', origin: 'http://shop.example', host: 'shop.example' })).toBe(
      403,
    );
    expect(await change({ origin: 'http://evil.example', host: 'shop.example' })).toBe(403);
    expect(await change({})).toBe(403);
    const [latest] = (await app.operator('GET', `/api/admin/audit?eventId=${app.eventId}&limit=1`)).json();
    expect(latest).toMatchObject({ action: 'change room', by: ann });
    const cookie = browser.jar['fairline-operator']!;
    await browser.ask('POST', '/api/auth/logout');
    browser.jar['fairline-operator'] = cookie;
    expect(await change({ 'sec-fetch-site': 'same-origin' })).toBe(401);
    browser.jar['fairline-operator'] = browser.jar[SESSION] ?? 'none';
    expect(await change({ 'sec-fetch-site': 'same-origin' })).toBe(401);
  });

  it('loses its operator sessions as soon as the role is revoked', async () => {
    const app = await createShopApp();
    const ann = email();
    const browser = openBrowser(app);
    await browser.sign('register', ann);
    const setRole = (role: string) => app.operator('PUT', '/api/admin/accounts/role', { body: { email: ann, role } });
    const look = async () => (await browser.ask('GET', '/api/admin/rooms')).statusCode;
    await setRole('operator');
    await browser.sign('login', ann);
    expect(await look()).toBe(200);
    await setRole('user');
    expect(await look()).toBe(401);
    app.clock.advance(1_000);
    await setRole('operator');
    await browser.sign('login', ann);
    expect(await look()).toBe(200);
  });
});

describeWithPostgres('a guest who signs in', () => {
  const { createShopApp } = shareShopDatabase();
  const email = () => `${unique('guest')}@example.org`;

  async function enter(app: ShopApp, browser: ReturnType<typeof openBrowser>) {
    return (await browser.ask('POST', `/api/queue/check/${app.eventId}`)).json();
  }

  it('keeps their place in line, with its number', async () => {
    const app = await createShopApp({ QUEUE_THRESHOLD: '0' });
    const [first, guest, last] = [openBrowser(app), openBrowser(app), openBrowser(app)];
    const places = [await enter(app, first), await enter(app, guest), await enter(app, last)];
    await guest.sign('register', email());
    expect(guest.jar['fairline-guest']).toBeUndefined();
    const after = (await guest.ask('GET', `/api/queue/status/${app.eventId}`)).json();
    expect(after).toMatchObject({ status: 'queued', number: places[1].number, position: 2, queueSize: 3 });
    expect((await enter(app, guest)).number).toBe(places[1].number);
  });

  it('keeps their holds, and buys under the same admission', async () => {
    const app = await createShopApp();
    const guest = openBrowser(app);
    await enter(app, guest);
    const tokenBefore = app.context.entryTokens.verify(guest.jar['urr-entry-token']!)!.tokenId;
    const { reservationId } = (
      await guest.ask(
        'POST',
        '/api/seats/reserve',
        { eventId: app.eventId, seatIds: ['A-1-1'] },
        { 'idempotency-key': 'k' },
      )
    ).json();
    const { orderId, paymentKey, amount } = (
      await guest.ask('POST', '/api/payments/prepare', { reservationId })
    ).json();
    const { userId } = (await guest.sign('register', email())).json();
    const entry = app.context.entryTokens.verify(guest.jar['urr-entry-token']!)!;
    expect(entry).toMatchObject({ visitor: userId, tokenId: tokenBefore });
    const more = await guest.ask('POST', '/api/seats/reserve', { eventId: app.eventId, seatIds: ['A-1-2'] });
    expect(more.statusCode).toBe(201);
    expect((await guest.ask('GET', '/api/reservations/my')).json()).toHaveLength(2);
    expect((await guest.ask('POST', '/api/payments/confirm', { orderId, paymentKey, amount })).json().status).toBe(
      'confirmed',
    );
    expect((await guest.ask('GET', `/api/reservations/${reservationId}`)).json().ticket.code).toContain(reservationId);
    expect((await guest.ask('GET', `/api/queue/status/${app.eventId}`)).json().status).toBe('not_in_queue');
  });

  it('keeps the better of two places, and the holds of both', async () => {
    const app = await createShopApp({ QUEUE_THRESHOLD: '1' });
    const ann = email();
    const phone = openBrowser(app);
    await phone.sign('register', ann);
    const guest = openBrowser(app);
    expect((await enter(app, guest)).status).toBe('active');
    expect((await enter(app, phone)).status).toBe('queued');
    const hold = { eventId: app.eventId, seatIds: ['A-1-1'] };
    await guest.ask('POST', '/api/seats/reserve', hold, { 'idempotency-key': 'k' });
    await guest.sign('login', ann);
    expect((await enter(app, phone)).status).toBe('active');
    const room = (await app.context.line.rooms.findRoom(app.eventId))!;
    expect(room.crowd).toMatchObject({ waiting: 0, active: 1 });
    expect((await phone.ask('GET', '/api/reservations/my')).json()).toHaveLength(1);
    const again = await phone.ask('POST', '/api/seats/reserve', hold, { 'idempotency-key': 'k' });
    expect(again.statusCode).toBe(200);
  });

  it('completes the move by signing in again after a lost response', async () => {
    const app = await createShopApp({ QUEUE_THRESHOLD: '0' });
    const guest = openBrowser(app);
    const { number } = await enter(app, guest);
    const ann = email();
    const before = { ...guest.jar };
    const { rename } = app.context.line.visits;
    app.context.line.visits.rename = () => Promise.reject(new Error('gone'));
    expect((await guest.sign('register', ann)).statusCode).toBe(500);
    app.context.line.visits.rename = rename;
    expect(guest.jar).toEqual(before);
    expect((await guest.sign('register', ann)).statusCode).toBe(200);
    expect((await enter(app, guest)).number).toBe(number);
  });
});
