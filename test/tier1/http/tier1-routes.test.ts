import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import { describe, expect, it } from 'vitest';
import { createDevice, type Device } from '../../support/device.ts';
import { createTestApp } from '../../support/test-app.ts';

const ASSIGN = '/vwr/assign/concert';

/** Tier 1 is active, in front of a line in which everyone waits. */
async function open(env: Record<string, string> = {}) {
  const test = await createTestApp({ LIMIT_VWR_ASSIGN_PER_IP: '0', VWR_CHALLENGE_DIGITS: '1', ...env });
  await test.operator('PUT', '/api/admin/rooms/concert', { body: { maxActive: 0 } });
  const activated = await test.operator('POST', '/api/admin/vwr/activate/concert');
  expect(activated.json()).toMatchObject({ isActive: true, state: 'active' });
  const take = async (device = createDevice(test.app)) => {
    const answer = (await device.ask('POST', ASSIGN)).json();
    const check = (requestId = answer.requestId) => device.ask('GET', `/vwr/check/concert/${requestId}`);
    return { device, answer, check };
  };
  const serve = (batchSize: number) => test.operator('POST', '/api/admin/vwr/advance/concert', { body: { batchSize } });
  return { ...test, take, serve };
}

describe('taking a number', () => {
  it('assigns each device the next number, and the same device the same one', async () => {
    const { take } = await open();
    const first = await take();
    expect(first.answer).toEqual({
      requestId: expect.stringMatching(/^[A-Za-z0-9_.-]{60,128}$/),
      position: 1,
      estimatedWait: 1,
      servingCounter: 0,
    });
    expect((await take()).answer.position).toBe(2);
    expect((await take(first.device)).answer).toEqual(first.answer);
  });

  it('reads no store for a device with a valid signed place', async () => {
    const { take, context } = await open();
    const { device, answer } = await take();
    context.tier1.store.assign = () => Promise.reject(new Error('the store was asked'));
    expect((await take(device)).answer).toEqual(answer);
  });

  it('returns the number of a device that lost its signed place', async () => {
    const { take } = await open();
    const { device, answer } = await take();
    device.cookies.delete('fairline-place-concert');
    expect((await take(device)).answer.position).toBe(answer.position);
  });

  it('sets HttpOnly cookies for device, place and token, and forbids caching', async () => {
    const { app } = await open();
    const response = await createDevice(app).ask('POST', ASSIGN);
    const cookies = [response.headers['set-cookie']].flat();
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies) expect(cookie).toMatch(/; HttpOnly; SameSite=Lax$/);
    expect(response.headers['cache-control']).toBe('no-store');
  });

  it('is refused if tier 1 is inactive, unknown or being switched', async () => {
    const { app, operator, context } = await open();
    const device = createDevice(app);
    const unknown = await device.ask('POST', '/vwr/assign/unknown');
    expect([unknown.statusCode, unknown.json().error.code]).toEqual([404, 'VWR_NOT_ACTIVE']);
    expect(unknown.json().redirectTo).toBe('/queue/unknown');
    const { activation } = (await context.tier1.store.findCounters('concert'))!;
    await context.tier1.store.move('concert', { to: 'closing', activation });
    context.tier1.counters.forget('concert');
    expect((await device.ask('POST', ASSIGN)).json().error.code).toBe('VWR_SWITCHING');
    await operator('POST', '/api/admin/vwr/deactivate/concert');
    expect((await device.ask('POST', ASSIGN)).statusCode).toBe(404);
    expect(device.cookies.size).toBe(0);
  });

  it('accepts the fields of other clients and ignores them', async () => {
    const { app, take } = await open();
    await take();
    const asked = await createDevice(app).ask('POST', '/vwr-api/vwr/assign/concert', { body: { userId: 'anon-1' } });
    expect(asked.json().position).toBe(2);
    const wrong = await createDevice(app).ask('POST', ASSIGN, { body: { position: 1 } });
    expect([wrong.statusCode, wrong.json().error.fields[0].field]).toEqual([400, 'position']);
    const id = await createDevice(app).ask('POST', '/vwr/assign/a%2Fb');
    expect([id.statusCode, id.json().error.code]).toEqual([400, 'INVALID_INPUT']);
  });
});

describe('checking a signed place', () => {
  it('returns the waiting time and the next poll', async () => {
    const { take, context } = await open();
    const { check } = await take();
    expect((await check()).json()).toEqual({
      admitted: false,
      position: 1,
      servingCounter: 0,
      ahead: 1,
      totalInQueue: 1,
      estimatedWait: 1,
      nextPoll: 2,
    });
    const others = Array.from({ length: 10_600 }, (_, i) => `other-${i}`);
    await context.tier1.store.assign('concert', others);
    const last = await take();
    context.tier1.counters.forget('concert');
    expect((await last.check()).json()).toMatchObject({
      position: 10_602,
      ahead: 10_602,
      totalInQueue: 10_602,
      estimatedWait: 213,
      nextPoll: 15,
    });
  });

  it('returns a token when the turn has come, with the same id every time', async () => {
    const { take, serve, context } = await open();
    const { device, check } = await take();
    const second = await take();
    await serve(1);
    const answer = (await check()).json();
    expect(answer).toMatchObject({ admitted: true, position: 1, servingCounter: 1, ahead: 0, totalInQueue: 2 });
    const pass = context.vwrTokens.verify(answer.token)!;
    expect(pass).toMatchObject({ eventId: 'concert', position: 1 });
    expect(device.cookies.get('urr-vwr-token')).toBe(answer.token);
    expect(context.vwrTokens.verify((await check()).json().token)?.tokenId).toBe(pass.tokenId);
    expect((await second.check()).json()).not.toHaveProperty('token');
  });

  it('admits everyone once tier 1 is inactive', async () => {
    const { take, operator } = await open();
    const { check } = await take();
    await operator('POST', '/api/admin/vwr/deactivate/concert');
    expect((await check()).json()).toMatchObject({ admitted: true, position: 1 });
  });

  it('refuses a place that is forged, expired, or of another device, event or activation', async () => {
    const { app, take, serve, operator, clock } = await open();
    const { device, answer, check } = await take();
    const other = await take();
    await serve(10);
    const refused = async (asked: Promise<{ statusCode: number; json(): { error: { code: string } } }>) => {
      const response = await asked;
      expect([response.statusCode, response.json().error.code]).toEqual([404, 'VWR_PLACE_NOT_FOUND']);
    };
    const { requestId } = answer as { requestId: string };
    await refused(other.check(requestId));
    await refused(createDevice(app).ask('GET', `/vwr/check/concert/${requestId}`));
    await refused(check(requestId.replace(/^1/, '2')));
    await refused(check(requestId.slice(0, -1) + (requestId.endsWith('A') ? 'B' : 'A')));
    await refused(check('6f1c2e9a-0000-4000-8000-000000000000'));
    await operator('PUT', '/api/admin/rooms/other', { body: { maxActive: 0 } });
    await operator('POST', '/api/admin/vwr/activate/other');
    await refused(device.ask('GET', `/vwr/check/other/${requestId}`));
    await refused(device.ask('GET', `/vwr/check/unknown/${requestId}`));
    await operator('POST', '/api/admin/vwr/deactivate/concert');
    await operator('POST', '/api/admin/vwr/activate/concert');
    await refused(check());
    const again = await take(device);
    clock.advance(7 * 86_400_000 + 1);
    await refused(again.check());
  });

  it('refuses thousands of mutations of a valid place', async () => {
    const { take, context } = await open();
    const { device, answer } = await take();
    const counters = (await context.tier1.store.findCounters('concert'))!;
    const owner = context.tier1.devices.find(`fairline-device=${device.cookies.get('fairline-device')}`);
    expect(context.tier1.room.recognise(answer.requestId, owner, counters)).toBeDefined();
    const alphabet = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-.';
    let accepted = 0;
    for (let at = 0; at < answer.requestId.length; at += 1) {
      for (const letter of alphabet) {
        if (letter === answer.requestId[at]) continue;
        const mutated = answer.requestId.slice(0, at) + letter + answer.requestId.slice(at + 1);
        if (context.tier1.room.recognise(mutated, owner, counters) !== undefined) accepted += 1;
      }
    }
    expect(accepted).toBe(0);
  });
});

describe('the public status', () => {
  it('is the same for everyone and cacheable for a second', async () => {
    const { anyone, take, serve } = await open();
    await take();
    await take();
    await serve(1);
    const response = await anyone('GET', '/vwr/status/concert');
    expect(response.headers['cache-control']).toBe('public, max-age=1');
    expect(response.headers['set-cookie']).toBeUndefined();
    expect(response.json()).toEqual({
      eventId: 'concert',
      isActive: true,
      totalInQueue: 2,
      serving: 1,
      waitingCount: 1,
    });
    expect((await anyone('GET', '/vwr-api/vwr/status/unknown')).json()).toMatchObject({ isActive: false });
  });

  it('reads the store at most once while the counters are fresh, however many requests come', async () => {
    const { anyone, take, context } = await open();
    const { check } = await take();
    const { store, counters } = context.tier1;
    counters.forget('concert');
    let reads = 0;
    const read = store.findCounters.bind(store);
    store.findCounters = (eventId) => {
      reads += 1;
      return read(eventId);
    };
    const startedAt = performance.now();
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(Array.from({ length: 50 }, (_, i) => (i % 2 ? check() : anyone('GET', '/vwr/status/concert'))));
    }
    const seconds = (performance.now() - startedAt) / 1000;
    expect(reads).toBeLessThanOrEqual(1 + Math.ceil(seconds));
  });
});

describe('limits on numbers', () => {
  const from = (remoteAddress: string, headers: Record<string, string> = {}) => ({ remoteAddress, headers });

  async function solve(response: { json(): unknown }) {
    const { challenge } = response.json() as { challenge: Parameters<typeof solveChallenge>[0]['challenge'] };
    const solution = await solveChallenge({ challenge, deriveKey });
    return { challenge, solution: solution! };
  }

  async function exhaust(device: Device, remoteAddress: string) {
    const response = await device.ask('POST', ASSIGN, { remoteAddress });
    expect([response.statusCode, response.json().error.code]).toEqual([429, 'PROOF_OF_WORK_REQUIRED']);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    return response;
  }

  it('count per IP address, for IPv6 per /64, and no header can change it', async () => {
    const { app } = await open({ LIMIT_VWR_ASSIGN_PER_IP: '1' });
    const ask = (options: object) => createDevice(app).ask('POST', ASSIGN, options);
    expect((await ask(from('2001:db8:1:2::1'))).statusCode).toBe(200);
    expect((await ask(from('2001:db8:1:2:ffff::9'))).statusCode).toBe(429);
    expect((await ask(from('2001:db8:1:3::1'))).statusCode).toBe(200);
    expect((await ask(from('10.0.0.1'))).statusCode).toBe(200);
    for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'x-user-id']) {
      expect((await ask(from('10.0.0.1', { [name]: '10.9.9.9' }))).statusCode).toBe(429);
    }
  });

  it('do not apply to a device that has a number', async () => {
    const { take } = await open({ LIMIT_VWR_ASSIGN_PER_IP: '1' });
    const { device, answer } = await take();
    expect((await take(device)).answer).toEqual(answer);
  });

  it('are lifted by a solved challenge, once, for its device and event', async () => {
    const { app, operator, take } = await open({ LIMIT_VWR_ASSIGN_PER_IP: '1' });
    await operator('PUT', '/api/admin/rooms/other', { body: { maxActive: 0 } });
    await operator('POST', '/api/admin/vwr/activate/other');
    await take();
    const device = createDevice(app);
    const body = await solve(await exhaust(device, '127.0.0.1'));
    const thief = createDevice(app);
    await exhaust(thief, '127.0.0.1');
    expect((await thief.ask('POST', ASSIGN, { body })).statusCode).toBe(429);
    expect((await device.ask('POST', '/vwr/assign/other', { body })).statusCode).toBe(429);
    const forged = { ...body, challenge: { ...body.challenge, signature: '00' } };
    expect((await device.ask('POST', ASSIGN, { body: forged })).statusCode).toBe(429);
    const unsolved = { ...body, solution: { ...body.solution, counter: body.solution.counter + 1 } };
    expect((await device.ask('POST', ASSIGN, { body: unsolved })).statusCode).toBe(429);
    const solved = await device.ask('POST', ASSIGN, { body });
    expect([solved.statusCode, solved.json().position]).toEqual([200, 2]);
    device.cookies.delete('fairline-place-concert');
    expect((await device.ask('POST', ASSIGN, { body })).statusCode).toBe(429);
  });

  it('are not lifted by an expired challenge', async () => {
    const { app, take, clock } = await open({ LIMIT_VWR_ASSIGN_PER_IP: '1' });
    await take();
    const device = createDevice(app);
    const body = await solve(await exhaust(device, '127.0.0.1'));
    clock.advance(300_000);
    await take();
    expect((await device.ask('POST', ASSIGN, { body })).statusCode).toBe(429);
  });

  it('count per device', async () => {
    const { app } = await open({ LIMIT_VWR_ASSIGN_PER_DEVICE: '2' });
    const device = createDevice(app);
    const statuses: number[] = [];
    for (let i = 0; i < 3; i += 1) {
      statuses.push((await device.ask('POST', ASSIGN)).statusCode);
      device.cookies.delete('fairline-place-concert');
    }
    expect(statuses).toEqual([200, 200, 429]);
  });
});
