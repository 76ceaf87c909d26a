import { describe, expect, it } from 'vitest';
import { createMiddleware } from '../../src/gate/fetch/middleware.ts';
import { secrets } from '../support/test-app.ts';
import { createGateWorld } from './gate-world.ts';

const SEATS = '/api/seats/events/concert';

function createApplication(options: Partial<Parameters<typeof createMiddleware>[0]> = {}) {
  const world = createGateWorld();
  const gate = createMiddleware({
    secrets: {
      entry: secrets.QUEUE_ENTRY_TOKEN_SECRET,
      vwr: secrets.VWR_TOKEN_SECRET,
      auth: secrets.AUTH_JWT_SECRET,
    },
    now: world.clock.now,
    ...options,
  });
  const ask = async (request: Parameters<typeof gate>[0]) => {
    const sent: { status?: number; headers?: Record<string, string>; body?: string | undefined; passed?: unknown } = {};
    const response = {
      writeHead: (status: number, headers: Record<string, string>) => Object.assign(sent, { status, headers }),
      appendHeader: () => {},
      end: (body?: string) => Object.assign(sent, { body }),
    };
    await gate(request, response, (error) => Object.assign(sent, { passed: error ?? true }));
    return { ...sent, admitted: request.admitted };
  };
  const headers = { authorization: `Bearer ${world.user('mina')}`, 'x-queue-entry-token': world.entry() };
  return { ask, headers };
}

describe('the gate as a middleware', () => {
  it('passes admitted visitors and sets request.admitted, which a visitor cannot set', async () => {
    const { ask, headers } = createApplication();
    expect(await ask({ method: 'POST', url: SEATS, headers })).toEqual({
      passed: true,
      admitted: { eventId: 'concert', visitor: 'mina' },
    });
    const admitted = { eventId: 'concert', visitor: 'admin' };
    expect(await ask({ url: '/api/events', headers: {}, admitted })).toEqual({ passed: true, admitted: undefined });
  });

  it('responds to a refused request and does not call next', async () => {
    const { ask } = createApplication();
    const refused = await ask({ url: SEATS, headers: {} });
    expect(refused).toMatchObject({ status: 403, headers: { 'cache-control': 'no-store' } });
    expect(JSON.parse(refused.body!)).toMatchObject({ redirectTo: '/queue/concert' });
    const sent = { host: 'shop.example', referer: 'https://shop.example/events/concert?row=4' };
    const posted = await ask({ method: 'POST', url: SEATS, headers: sent });
    expect(JSON.parse(posted.body!)).toMatchObject({
      redirectTo: '/queue/concert?to=%2Fevents%2Fconcert%3Frow%3D4',
    });
    expect(await ask({ method: 'HEAD', url: SEATS, headers: {} })).toMatchObject({ status: 403, body: '' });
  });

  it('decides on the original URL, wherever it is mounted', async () => {
    const { ask } = createApplication();
    expect(await ask({ url: '/events/concert', originalUrl: SEATS, headers: {} })).toMatchObject({ status: 403 });
    expect(await ask({ headers: {} })).toMatchObject({ status: 400 });
  });

  it('passes an error to next, and does not admit the request', async () => {
    const now = () => {
      throw new Error('no clock');
    };
    const { ask, headers } = createApplication({ now });
    expect(await ask({ url: SEATS, headers })).toMatchObject({ passed: new Error('no clock') });
  });
});
