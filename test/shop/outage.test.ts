import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithPostgres, type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { runApp } from '../support/running-app.ts';
import { until } from '../support/until.ts';

describeWithPostgres('while PostgreSQL is unavailable', () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());

  it('the line keeps running, the shop responds with Retry-After, and both recover', async () => {
    const { url } = await runApp({ env: { SHOP: 'on', DATABASE_URL: await postgres.createDatabase() } });
    const ready = async () => (await fetch(`${url}/ready`)).json() as Promise<{ status: string; shop?: string }>;
    const shop = () => fetch(`${url}/api/events`);
    expect((await shop()).status).toBe(200);
    expect(await ready()).toEqual({ status: 'ready' });

    await postgres.halt();
    const away = await shop();
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await away.json()).toMatchObject({ error: { code: 'STORE_UNAVAILABLE' } });
    await until('readiness to tell', async () => (await ready()).shop?.startsWith('PostgreSQL'));
    expect((await ready()).status).toBe('ready');
    const joined = await fetch(`${url}/api/queue/check/concert`, { method: 'POST' });
    expect(await joined.json()).toMatchObject({ status: 'active' });

    await postgres.resume();
    await until('the shop', async () => (await shop()).status === 200);
    await until('readiness', async () => (await ready()).shop === undefined);
  });
});
