/** Attacks with many identities on rooms that ask for accounts, and on draws. */
import { describe, expect, it } from 'vitest';
import { finishDraw } from '../line/draw-contract.ts';
import { createDevice, type Device } from '../support/device.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const NO_LIMITS = { LIMIT_GUEST_JOIN_PER_IP: '0', LIMIT_VWR_ASSIGN_PER_IP: '0', LIMIT_JOIN_PER_VISITOR: '0' };
const CHECK = '/api/queue/check/concert';

async function open(room: object, env: Record<string, string> = {}) {
  const test = await createTestApp({ ...NO_LIMITS, ...env });
  const set = (change: object) => test.operator('PUT', '/api/admin/rooms/concert', { body: change });
  expect((await set({ maxActive: 0, ...room })).statusCode).toBeLessThan(300);
  const waiting = async () => (await test.context.line.rooms.findRoom('concert'))!.crowd.waiting;
  return { ...test, set, waiting };
}

const bearer = ({ userToken }: TestApp, user: string, claims: Record<string, unknown> = {}) => ({
  headers: { authorization: `Bearer ${userToken(user, claims)}` },
});

describe('a room that asks for accounts', () => {
  const doors: Record<string, (device: Device) => ReturnType<Device['ask']>> = {
    poll: (device) => device.ask('POST', CHECK),
    claim: (device) => device.ask('POST', '/api/queue/join', { body: { event_id: 'concert' } }),
    stream: (device) => device.ask('GET', '/events/concert/tickets/waiting'),
    page: (device) =>
      device.ask('POST', '/queue/concert?do=join', {
        headers: { 'accept-language': 'en', 'sec-fetch-site': 'same-origin' },
      }),
  };

  it.each(Object.entries(doors))('refuses guests at the %s door, and makes no identity', async (name, ask) => {
    const test = await open({ joinRequires: 'account' });
    const device = createDevice(test.app);
    const refused = await ask(device);
    expect(refused.statusCode).toBe(403);
    if (name === 'page') expect(refused.body).toContain('Please sign in');
    else expect(refused.json().error.code).toBe('ACCOUNT_REQUIRED');
    expect(device.cookies.size).toBe(0);
    expect(await test.waiting()).toBe(0);
    expect((await test.as('ann')('POST', CHECK)).json().status).toBe('queued');
  });

  it('refuses known guests too, and leaves those who wait their places', async () => {
    const { app, operator, set, waiting } = await open({});
    await operator('PUT', '/api/admin/rooms/other', { body: { maxActive: 0 } });
    const [guest, early] = [createDevice(app), createDevice(app)];
    await guest.ask('POST', '/api/queue/check/other');
    await early.ask('POST', CHECK);
    await set({ joinRequires: 'account' });
    expect((await createDevice(app).ask('POST', CHECK)).statusCode).toBe(403);
    expect((await guest.ask('POST', CHECK)).json().error.code).toBe('ACCOUNT_REQUIRED');
    // A guest who already waits keeps the place.
    expect((await early.ask('POST', CHECK)).json().status).toBe('queued');
    expect(await waiting()).toBe(1);
  });

  it('tells where to sign in, if that is here', async () => {
    const here = await open({ joinRequires: 'account' }, { SHOP: 'on' });
    expect((await here.anyone('POST', CHECK)).json().redirectTo).toBe('/sign-in?to=%2Fqueue%2Fconcert');
    const elsewhere = await open({ joinRequires: 'account' }, { SHOP: 'off' });
    expect((await elsewhere.anyone('POST', CHECK)).json()).not.toHaveProperty('redirectTo');
  });

  it('takes only a confirmed e-mail address where that is asked for, and nothing that looks like it', async () => {
    const test = await open({ joinRequires: 'confirmed-account' });
    for (const claim of [undefined, false, 'true', 1, 'yes', [true], {}]) {
      const claims = claim === undefined ? {} : { email_verified: claim };
      const refused = await createDevice(test.app).ask('POST', CHECK, bearer(test, 'ann', claims));
      expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'CONFIRMED_ACCOUNT_REQUIRED']);
    }
    const guest = await test.anyone('POST', CHECK);
    expect(guest.json().error.code).toBe('ACCOUNT_REQUIRED');
    const confirmed = bearer(test, 'bob', { email_verified: true });
    const unconfirmed = bearer(test, 'bob');
    // Verified tokens are remembered: what one says must not be said of another.
    expect((await createDevice(test.app).ask('POST', CHECK, unconfirmed)).statusCode).toBe(403);
    expect((await createDevice(test.app).ask('POST', CHECK, confirmed)).statusCode).toBe(200);
    await createDevice(test.app).ask('POST', '/api/queue/leave/concert', confirmed);
    expect((await createDevice(test.app).ask('POST', CHECK, unconfirmed)).statusCode).toBe(403);
  });

  it('exchanges a number of tier 1 only for an account', async () => {
    const test = await open({ joinRequires: 'account' });
    await test.operator('POST', '/api/admin/vwr/activate/concert');
    const device = createDevice(test.app);
    const { requestId } = (await device.ask('POST', '/vwr/assign/concert')).json();
    await test.operator('POST', '/api/admin/vwr/advance/concert', { body: { batchSize: 10 } });
    expect((await device.ask('GET', `/vwr/check/concert/${requestId}`)).json().admitted).toBe(true);
    expect((await device.ask('POST', CHECK)).json().error.code).toBe('ACCOUNT_REQUIRED');
    expect((await device.ask('POST', CHECK, bearer(test, 'ann'))).json()).toMatchObject({
      status: 'queued',
      number: 1,
    });
  });
});

describe('in a draw', () => {
  async function openDraw(room: object = {}) {
    const test = await open({});
    const opensAt = new Date(test.clock.now() + 60_000).toISOString();
    await test.set({ order: 'draw', opensAt, ...room });
    const draw = async () => {
      test.clock.advance(60_000);
      await finishDraw(test.context.line.draws, 'concert');
      return (await test.anyone('GET', '/api/rooms/concert/draw')).json().entries as number;
    };
    return { ...test, draw };
  }

  it('an account has one lot, from however many devices it joins', async () => {
    const test = await openDraw({ joinRequires: 'account' });
    const lots = new Set<string>();
    for (let i = 0; i < 5; i += 1) {
      lots.add((await createDevice(test.app).ask('POST', CHECK, bearer(test, 'ann'))).json().drawLot);
    }
    expect(lots.size).toBe(1);
    expect(await test.draw()).toBe(1);
  });

  it('an account that was several guests before has one lot', async () => {
    const test = await openDraw();
    const { visits } = test.context.line;
    await test.as('ann')('POST', CHECK);
    const guests = [];
    for (let i = 0; i < 4; i += 1) {
      const device = createDevice(test.app);
      await device.ask('POST', CHECK);
      const cookie = [...device.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      guests.push(test.context.identity.findGuest({ cookie })!.id);
    }
    expect(await test.waiting()).toBe(5);
    // What signing in does with the places of each guest.
    for (const guest of guests) await visits.rename('concert', guest, 'ann');
    expect(await test.waiting()).toBe(1);
    expect(await test.draw()).toBe(1);
  });

  it('an account with several numbers of tier 1 has one lot', async () => {
    const test = await openDraw();
    await test.operator('POST', '/api/admin/vwr/activate/concert');
    for (let i = 0; i < 4; i += 1) {
      const device = createDevice(test.app);
      const { requestId } = (await device.ask('POST', '/vwr/assign/concert')).json();
      await test.operator('POST', '/api/admin/vwr/advance/concert', { body: { batchSize: 1 } });
      expect((await device.ask('GET', `/vwr/check/concert/${requestId}`)).json().admitted).toBe(true);
      expect((await device.ask('POST', CHECK, bearer(test, 'ann'))).statusCode).toBe(200);
    }
    expect(await test.waiting()).toBe(1);
    expect(await test.draw()).toBe(1);
  });

  it('identities that one address made in a burst are shown to operators before the draw', async () => {
    const test = await openDraw();
    const join = (remoteAddress: string) => createDevice(test.app).ask('POST', CHECK, { remoteAddress });
    for (let i = 1; i <= 5; i += 1) await join(`198.51.100.${i}`);
    const startedAt = test.clock.now();
    for (let i = 0; i < 30; i += 1) {
      await join('203.0.113.9');
      test.clock.advance(100);
    }
    // Users are not counted, nor is a guest who asks again.
    for (let i = 0; i < 3; i += 1) await test.as(`user-${i}`)('POST', CHECK);
    const again = createDevice(test.app);
    for (let i = 0; i < 3; i += 1) await again.ask('POST', CHECK, { remoteAddress: '198.51.100.77' });
    const path = '/api/admin/rooms/concert/draw/sources';
    expect((await test.anyone('GET', path)).statusCode).toBe(401);
    const report = (await test.operator('GET', path)).json();
    expect(report).toMatchObject({ eventId: 'concert', lots: 36, addresses: 7, singles: 6 });
    expect(report.largest).toHaveLength(7);
    expect(report.largest[0]).toEqual({
      address: expect.stringMatching(/^[A-Za-z0-9_-]{12}$/),
      lots: 30,
      from: new Date(startedAt).toISOString(),
      to: new Date(startedAt + 2_900).toISOString(),
    });
    expect(JSON.stringify(report)).not.toContain('203.0.113');
    await test.operator('POST', '/api/queue/admin/clear/concert');
    expect((await test.operator('GET', path)).json()).toMatchObject({ lots: 0, addresses: 0, largest: [] });
  });

  it('devices with numbers of tier 1 are counted with their address too', async () => {
    const test = await openDraw();
    await test.operator('POST', '/api/admin/vwr/activate/concert');
    for (let i = 0; i < 3; i += 1) {
      const device = createDevice(test.app);
      const { requestId } = (await device.ask('POST', '/vwr/assign/concert')).json();
      await test.operator('POST', '/api/admin/vwr/advance/concert', { body: { batchSize: 1 } });
      await device.ask('GET', `/vwr/check/concert/${requestId}`);
      await device.ask('POST', CHECK, { remoteAddress: '203.0.113.9' });
    }
    const report = (await test.operator('GET', '/api/admin/rooms/concert/draw/sources')).json();
    expect(report).toMatchObject({ lots: 3, addresses: 1, largest: [{ lots: 3 }] });
  });
});
