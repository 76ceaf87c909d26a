import Fastify from 'fastify';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { defaultRules } from '../../src/gate/decision/default-rules.ts';
import { createGateMetrics } from '../../src/gate/gate-metrics.ts';
import { createGuard } from '../../src/gate/guard.ts';
import { gateHook } from '../../src/gate/hook.ts';
import { answerNotFound, createErrorAnswer } from '../../src/http/error-answer.ts';
import { createGateWorld } from './gate-world.ts';

/** Routes of a shop behind the hook. */
function createShop() {
  const world = createGateWorld();
  const { keys, active: activeEvents, clock } = world;
  const registry = new Registry();
  const metrics = createGateMetrics(registry);
  const guard = createGuard({ book: defaultRules, keys, activeEvents, askLine: undefined, metrics, now: clock.now });
  const app = Fastify();
  app.setErrorHandler(createErrorAnswer(pino({ level: 'silent' })));
  app.setNotFoundHandler(answerNotFound);
  app.decorateRequest('admitted', undefined);
  app.addHook('onRequest', gateHook(guard));
  app.get('/api/seats/events/:eventId', async (request) => request.admitted);
  app.post('/api/reservations', async (request) => request.admitted);
  app.get('/events/:eventId', async () => 'the event');
  app.get('/api/events', async (request) => ({ admitted: request.admitted ?? null }));
  const ask = (method: 'GET' | 'HEAD' | 'POST', url: string, sent = {}) =>
    app.inject({ method, url, headers: world.headers(sent) });
  return { ...world, ask, registry };
}

describe('the gate as a hook', () => {
  it('gives routes the admitted visitor and the event', async () => {
    const { ask, entry, vwr } = createShop();
    const tokens = { entryToken: entry(), vwrToken: vwr() };
    expect((await ask('GET', '/api/seats/events/concert', tokens)).json()).toEqual({
      eventId: 'concert',
      visitor: 'mina',
    });
    expect((await ask('POST', '/api/reservations', tokens)).json()).toEqual({ eventId: 'concert', visitor: 'mina' });
    expect((await ask('GET', '/api/events')).json()).toEqual({ admitted: null });
  });

  it('refuses API requests in JSON with redirectTo, and redirects page requests', async () => {
    const { ask, vwr } = createShop();
    const refused = await ask('GET', '/api/seats/events/concert', { vwrToken: vwr() });
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({ error: { code: 'ENTRY_TOKEN_REQUIRED' }, redirectTo: '/queue/concert' });
    const sent = await ask('GET', '/events/concert');
    expect([sent.statusCode, sent.headers.location]).toEqual([302, '/vwr/concert?to=%2Fevents%2Fconcert']);
    const more = { host: 'shop.example', referer: 'https://shop.example/events/concert?row=4' };
    const posted = await ask('POST', '/api/seats/events/concert', { more });
    expect(posted.json()).toMatchObject({ redirectTo: '/vwr/concert?to=%2Fevents%2Fconcert%3Frow%3D4' });
    expect((await ask('HEAD', '/api/seats/events/concert')).statusCode).toBe(403);
  });

  it('refuses an ambiguous path before routing', async () => {
    const { ask, entry, vwr } = createShop();
    const refused = await ask('GET', '/api/seats/events//concert', { entryToken: entry(), vwrToken: vwr() });
    expect([refused.statusCode, refused.json().error.code]).toEqual([400, 'AMBIGUOUS_PATH']);
  });

  it('counts decisions', async () => {
    const { ask, registry } = createShop();
    await ask('GET', '/api/events');
    await ask('GET', '/events/concert');
    const metrics = await registry.metrics();
    expect(metrics).toContain('fairline_gate_decisions_total{outcome="pass",code="none"} 1');
    expect(metrics).toContain('fairline_gate_decisions_total{outcome="redirect",code="VWR_REQUIRED"} 1');
  });
});
