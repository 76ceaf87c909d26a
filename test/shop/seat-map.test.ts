import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRedisClient } from '../../src/platform/redis/connect.ts';
import { awaitReady } from '../../src/platform/redis/connection.ts';
import { openStream } from '../support/event-stream.ts';
import { describeWithPostgres, type PostgresDatabases, sharedPostgres } from '../support/postgres-server.ts';
import { describeWithRedis, type RedisServer, startRedis } from '../support/redis-server.ts';
import { runApp } from '../support/running-app.ts';
import { secrets } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const RULES = { id: 'A', name: 'Hall', price: 50_000 };

describeWithPostgres('seats over HTTP', () => {
  let postgres: PostgresDatabases;
  beforeAll(async () => {
    postgres = await sharedPostgres();
  });

  async function openSale(rows: number, seatsPerRow: number, env: Record<string, string> = {}) {
    const { url, context } = await runApp({
      env: {
        ...secrets,
        SHOP: 'on',
        LIMIT_HOLD_PER_VISITOR: '0',
        DATABASE_URL: await postgres.createDatabase(),
        ...env,
      },
    });
    const { events } = context.shop!;
    await events.putLayout('hall', { name: 'Hall', sections: [{ ...RULES, rows, seatsPerRow }], standing: [] });
    await events.putEvent('concert', { title: 'Concert', startsAt: '2030-06-01T10:00:00Z' });
    await events.generateSeats('concert', 'hall');
    await events.openEvent('concert');
    const map = `${url}/api/seats/events/concert`;

    async function enter(): Promise<(seatIds: string[]) => Promise<Response>> {
      const joined = await fetch(`${url}/api/queue/check/concert`, { method: 'POST' });
      const cookie = joined.headers.getSetCookie().map((text) => text.slice(0, text.indexOf(';')));
      const headers = { cookie: cookie.join('; '), 'content-type': 'application/json' };
      return (seatIds) => {
        const body = JSON.stringify({ eventId: 'concert', seatIds });
        return fetch(`${url}/api/seats/reserve`, { method: 'POST', headers, body });
      };
    }
    return { map, context, enter };
  }

  it('serves 20,000 seats in one small body, and 304 while nothing changes', async () => {
    const { map, enter } = await openSale(200, 100);
    const first = await fetch(map);
    const text = await first.text();
    expect(text.length).toBeLessThan(25_000);
    expect(first.headers.get('content-encoding')).toBe('gzip');
    const { total, remaining, sections } = JSON.parse(text);
    expect({ total, remaining }).toEqual({ total: 20_000, remaining: 20_000 });
    expect(sections[0].seats.join('')).toBe('0'.repeat(20_000));
    const etag = first.headers.get('etag')!;
    const again = await fetch(map, { headers: { 'if-none-match': etag } });
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
    const reserve = await enter();
    expect((await reserve(['A-200-100'])).status).toBe(201);
    const changed = await until('the map to change', async () => {
      const answer = await fetch(map, { headers: { 'if-none-match': etag } });
      return answer.status === 200 && answer;
    });
    expect(JSON.parse(await changed.text()).sections[0].seats.at(-1)).toMatch(/^0{99}1$/);
  });

  it('streams each seat that is taken or freed', async () => {
    const { map, context, enter } = await openSale(2, 10);
    const stream = await openStream(`${map}/changes`);
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    const first = await stream.waitFor('map');
    expect(`"${first.data.version}"`).toBe((await fetch(map)).headers.get('etag'));
    const reserve = await enter();
    const { reservationId } = JSON.parse(await (await reserve(['A-1-1', 'A-1-2'])).text());
    const taken = await stream.waitFor('seats');
    expect(taken.data.changes).toEqual({ 'A-1-1': 'held', 'A-1-2': 'held' });
    await context.shop!.holds.release(reservationId);
    const freed = await stream.waitFor('seats', stream.events.indexOf(taken) + 1);
    expect(freed.data.changes).toEqual({ 'A-1-1': 'free', 'A-1-2': 'free' });
    expect(`"${freed.data.version}"`).toBe((await fetch(map)).headers.get('etag'));
    expect((await fetch(map.replace('concert', 'nowhere').concat('/changes'))).status).toBe(404);
    stream.close();
  });

  describeWithRedis('with locks in Redis', () => {
    let redis: RedisServer;
    beforeAll(async () => {
      redis = await startRedis();
    });
    afterAll(() => redis.stop());

    it('gives a contested seat to one buyer and leaves no lock', async () => {
      const { enter, context } = await openSale(1, 10, { REDIS_URL: redis.url, SEAT_LOCK: 'on' });
      const buyers = await Promise.all(Array.from({ length: 8 }, enter));
      const answers = await Promise.all(buyers.map((reserve) => reserve(['A-1-1', 'A-1-2'])));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
      expect((await context.shop!.events.findEvent('concert'))!.seats.remaining).toBe(8);
      const client = createRedisClient({ url: redis.url });
      await awaitReady(client);
      expect(await client.keys('lock:seat:*')).toEqual([]);
      client.disconnect();
    });
  });
});
