/** From tier 1 into the line: one number sequence, and the exchange of a vwr token for a place. */
import { describe, expect, it } from 'vitest';
import { createDevice, type Device } from '../../support/device.ts';
import { createTestApp } from '../../support/test-app.ts';

const JOIN = '/api/queue/check/concert';

async function open(settings: Record<string, unknown> = { maxActive: 0 }) {
  const test = await createTestApp({ LIMIT_VWR_ASSIGN_PER_IP: '0', LIMIT_GUEST_JOIN_PER_IP: '0' });
  await test.operator('PUT', '/api/admin/rooms/concert', { body: settings });
  const operate = async (action: string) => {
    const response = await test.operator('POST', `/api/admin/vwr/${action}/concert`);
    expect(response.statusCode).toBe(200);
    return response.json();
  };
  /** Waits in tier 1 until its turn has come. */
  const pass = async (device: Device) => {
    const { requestId, position } = (await device.ask('POST', '/vwr/assign/concert')).json();
    await operate('advance');
    const turn = (await device.ask('GET', `/vwr/check/concert/${requestId}`)).json();
    expect(turn).toMatchObject({ admitted: true, position });
    return { position, token: turn.token as string };
  };
  const join = async (device: Device, headers: Record<string, string> = {}) => {
    const response = await device.ask('POST', JOIN, { headers });
    return { ...response.json(), status: response.statusCode };
  };
  return { ...test, operate, pass, join, device: () => createDevice(test.app) };
}

describe('numbers of tier 1 and the line', () => {
  it('form one sequence: nobody in line is overtaken, and later visitors are behind', async () => {
    const { operate, pass, join, device } = await open();
    const early = [device(), device()];
    for (const one of early) await join(one);
    expect(await operate('activate')).toMatchObject({ nextPosition: 2, servingCounter: 2 });
    const [first, second, asleep] = [device(), device(), device()];
    expect((await pass(first)).position).toBe(3);
    expect((await pass(second)).position).toBe(4);
    expect((await pass(asleep)).position).toBe(5);
    expect(await join(second)).toMatchObject({ status: 200, number: 4, position: 3 });
    expect(await join(first)).toMatchObject({ status: 200, number: 3, position: 3 });
    await operate('deactivate');
    const late = device();
    expect(await join(late)).toMatchObject({ status: 200, number: 6, position: 5 });
    expect(await join(asleep)).toMatchObject({ status: 200, number: 5, position: 5 });
    expect(await join(early[1]!)).toMatchObject({ number: 2, position: 2 });
  });

  it('are required to join through every door, and the error says where to get one', async () => {
    const { operate, join, device, app } = await open();
    await operate('activate');
    expect(await join(device())).toMatchObject({
      status: 403,
      error: { code: 'VWR_REQUIRED' },
      redirectTo: '/vwr/concert',
    });
    const stream = await app.inject({ method: 'GET', url: '/events/concert/tickets/waiting' });
    expect([stream.statusCode, stream.json().error.code]).toEqual([403, 'VWR_REQUIRED']);
  });

  it('are not required from visitors who already have a place', async () => {
    const { operate, join, device } = await open();
    const waiting = device();
    const { number } = await join(waiting);
    await operate('activate');
    expect(await join(waiting)).toMatchObject({ status: 200, number });
  });
});

describe('the token exchange', () => {
  it('gives the visitor the number once, whatever else the request contains', async () => {
    const { operate, pass, join, device, userToken } = await open();
    await operate('activate');
    await pass(device());
    const one = device();
    await pass(one);
    const response = await one.ask('POST', `${JOIN}?position=1&vwrPosition=1`, {
      body: { vwrPosition: 1, number: 1 },
      headers: { 'x-vwr-position': '1' },
    });
    expect(response.json()).toMatchObject({ number: 2 });
    expect(await join(one)).toMatchObject({ number: 2 });
    const another = { authorization: `Bearer ${userToken('another')}` };
    expect(await join(one, another)).toMatchObject({ status: 403, error: { code: 'VWR_REQUIRED' } });
  });

  it('refuses a token of another device, another event, an expired one and a forged one', async () => {
    const { operate, pass, join, device, operator, clock } = await open();
    await operate('activate');
    const owner = device();
    const { token } = await pass(owner);
    const thief = device();
    thief.cookies.set('urr-vwr-token', token);
    expect((await join(thief)).status).toBe(403);
    await thief.ask('POST', '/vwr/assign/concert');
    expect((await join(thief)).status).toBe(403);
    const forger = device();
    forger.cookies.set('fairline-device', owner.cookies.get('fairline-device')!);
    forger.cookies.set('urr-vwr-token', `${token.slice(0, -2)}xx`);
    expect((await join(forger)).status).toBe(403);
    await operator('PUT', '/api/admin/rooms/other', { body: { maxActive: 0 } });
    await operator('POST', '/api/admin/vwr/activate/other');
    expect((await owner.ask('POST', '/api/queue/check/other')).statusCode).toBe(403);
    clock.advance(606_000);
    expect((await join(owner)).status).toBe(403);
  });

  it('gives a visitor who left a new number, not the old one', async () => {
    const { operate, pass, join, device } = await open();
    await operate('activate');
    const one = device();
    const { token } = await pass(one);
    await join(one);
    await pass(device());
    await one.ask('POST', '/api/queue/leave/concert');
    expect(await join(one)).toMatchObject({ status: 403, redirectTo: '/vwr/concert?again=1' });
    expect([...one.cookies.keys()].sort()).toEqual(['fairline-device', 'fairline-guest']);
    one.cookies.set('urr-vwr-token', token);
    expect((await join(one)).status).toBe(403);
    expect((await pass(one)).position).toBe(3);
    expect(await join(one)).toMatchObject({ status: 200, number: 3 });
  });

  it('bypasses the join limits, but not with a used token', async () => {
    const test = await createTestApp({ LIMIT_VWR_ASSIGN_PER_IP: '0', LIMIT_GUEST_JOIN_PER_IP: '1' });
    await test.operator('PUT', '/api/admin/rooms/concert', { body: { maxActive: 0 } });
    await createDevice(test.app).ask('POST', JOIN);
    await test.operator('POST', '/api/admin/vwr/activate/concert');
    const device = createDevice(test.app);
    const { requestId } = (await device.ask('POST', '/vwr/assign/concert')).json();
    await test.operator('POST', '/api/admin/vwr/deactivate/concert');
    await device.ask('GET', `/vwr/check/concert/${requestId}`);
    expect((await device.ask('POST', JOIN)).json()).toMatchObject({ number: 2 });
    device.cookies.delete('fairline-guest');
    expect((await device.ask('POST', JOIN)).statusCode).toBe(429);
  });
});
