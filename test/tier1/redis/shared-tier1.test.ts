/** Two instances on one Redis share their state, and two advancers serve no more than one. */
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { buildApp } from '../../../src/compose/app.ts';
import { createContext } from '../../../src/compose/context.ts';
import { readConfig } from '../../../src/config/read-config.ts';
import { runAdvancerOnce } from '../../../src/tier1/roles/advancer.ts';
import { createDevice } from '../../support/device.ts';
import { describeWithRedis, startRedis } from '../../support/redis-server.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { secrets } from '../../support/test-app.ts';
import { until } from '../../support/until.ts';

describeWithRedis('tier 1 on two instances', () => {
  let redis: Awaited<ReturnType<typeof startRedis>>;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());

  async function start() {
    const config = readConfig({
      ...secrets,
      DATA_DIR: tempFolder(),
      REDIS_URL: redis.url,
      LIMIT_VWR_ASSIGN_PER_IP: '0',
    });
    const stopping = new AbortController();
    const log = pino({ level: 'silent' });
    const context = await createContext({ config, version: 'test', log, stopping: stopping.signal });
    const app = await buildApp(context);
    onTestFinished(async () => {
      await app.close();
      await context.close();
    });
    return { app, context };
  }

  function operate(app: FastifyInstance, action: string, eventId: string, body?: object) {
    const headers = { authorization: `Bearer ${secrets.ADMIN_TOKEN}` };
    const url = `/api/admin/vwr/${action}/${eventId}`;
    return app.inject({ method: 'POST', url, headers, ...(body === undefined ? {} : { payload: body }) });
  }

  it('is switched, served and exchanged through either instance, with the same device id', async () => {
    const [one, other] = [await start(), await start()];
    await one.context.line.rooms.putRoom('concert', { maxActive: 0 });
    const device = createDevice(other.app);
    expect((await device.ask('POST', '/vwr/assign/concert')).statusCode).toBe(404);
    await operate(one.app, 'activate', 'concert');
    const assigned = await until('the other to know that it is on', async () => {
      const response = await device.ask('POST', '/vwr/assign/concert');
      return response.statusCode === 200 && response;
    });
    const { requestId } = assigned.json();
    const elsewhere = createDevice(one.app);
    for (const [name, value] of device.cookies) elsewhere.cookies.set(name, value);
    expect((await elsewhere.ask('POST', '/vwr/assign/concert')).json().requestId).toBe(requestId);
    await operate(one.app, 'advance', 'concert', { batchSize: 1 });
    await until('the turn to be known to the other', async () => {
      const check = await device.ask('GET', `/vwr/check/concert/${requestId}`);
      return check.json().admitted === true;
    });
    // Two visitors use the token of one device at both instances at once: one of them gets its number.
    elsewhere.cookies.set('urr-vwr-token', device.cookies.get('urr-vwr-token')!);
    const joined = await Promise.all([device, elsewhere].map((each) => each.ask('POST', '/api/queue/check/concert')));
    expect(joined.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403]);
    expect(joined.find(({ statusCode }) => statusCode === 200)?.json()).toMatchObject({ number: 1 });
    await operate(other.app, 'deactivate', 'concert');
    const late = await createDevice(one.app).ask('POST', '/api/queue/check/concert');
    expect(late.json()).toMatchObject({ number: 2 });
  });

  it('serves no more than one advancer would, by the clock of Redis', async () => {
    const { context } = await start();
    const { store, switching } = context.tier1;
    const other = (await start()).context.tier1.store;
    const pace = { batchSize: 1_000, cycleMs: 1_000 };
    await context.line.rooms.putRoom('pace', { maxActive: 0 });
    await switching.activate('pace');
    await store.assign(
      'pace',
      Array.from({ length: 5_000 }, (_, i) => `device-${i}`),
    );
    const from = (await store.findCounters('pace'))!.advancedAt;
    for (let pass = 0; pass < 100; pass += 1) {
      await Promise.all([store, other].map((each) => runAdvancerOnce({ store: each, pace })));
    }
    const { servingCounter, advancedAt } = (await store.findCounters('pace'))!;
    expect(servingCounter).toBeGreaterThan(0);
    expect(servingCounter).toBeLessThanOrEqual(advancedAt - from);
  });
});
