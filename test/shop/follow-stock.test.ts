import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTokenSigner } from '../../src/platform/jwt/tokens.ts';
import { openStream } from '../support/event-stream.ts';
import { describeWithPostgres, type PostgresDatabases, sharedPostgres } from '../support/postgres-server.ts';
import { describeWithRedis, type RedisServer, startRedis } from '../support/redis-server.ts';
import { runApp } from '../support/running-app.ts';
import { secrets } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const signUser = createTokenSigner({ secret: secrets.AUTH_JWT_SECRET, typ: 'JWT' });

function authorize(user: string): Record<string, string> {
  const iat = Math.floor(Date.now() / 1000);
  return { authorization: `Bearer ${signUser({ sub: user, iat, exp: iat + 3_600 })}` };
}

/** The whole program, selling two seats to a line with `followStock`. */
async function openSale(env: Record<string, string>) {
  const { url, context } = await runApp({ env: { ...secrets, SHOP: 'on', ...env }, room: { followStock: true } });
  const { events } = context.shop!;
  const sections = [{ id: 'A', name: 'Front', rows: 1, seatsPerRow: 2, price: 50_000 }];
  await events.putLayout('hall', { name: 'Hall', sections, standing: [] });
  const startsAt = new Date(Date.now() + 30 * 86_400_000).toISOString();
  await events.putEvent('concert', { title: 'Concert', startsAt });
  await events.generateSeats('concert', 'hall');
  await events.openEvent('concert');

  async function ask(user: string, method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...authorize(user),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: whatever the server says.
    return { status: answer.status, body: (await answer.json()) as any };
  }
  const join = (user: string) => ask(user, 'POST', '/api/queue/check/concert');
  const status = async (user: string) => (await ask(user, 'GET', '/api/queue/status/concert')).body;

  async function buy(user: string, seatId: string): Promise<string> {
    const { entryToken } = await status(user);
    const hold = { eventId: 'concert', seatIds: [seatId] };
    const { reservationId } = (
      await ask(user, 'POST', '/api/seats/reserve', hold, { 'x-queue-entry-token': entryToken })
    ).body;
    const { orderId, paymentKey, amount } = (await ask(user, 'POST', '/api/payments/prepare', { reservationId })).body;
    const paid = await ask(user, 'POST', '/api/payments/confirm', { orderId, paymentKey, amount });
    expect(paid.body.status).toBe('confirmed');
    return reservationId;
  }
  const watch = (user: string) => openStream(`${url}/events/concert/tickets/waiting`, authorize(user));
  return { ask, join, status, buy, watch };
}

function describeSale(createEnv: () => Promise<Record<string, string>>): void {
  it('admits as many visitors as seats are left, tells waiting visitors when all are sold, and continues in order', async () => {
    const { ask, join, status, buy, watch } = await openSale(await createEnv());
    for (const user of ['ann', 'bob', 'cid', 'dan']) await join(user);
    for (const user of ['ann', 'bob'])
      await until(`${user} to be in`, async () => (await status(user)).status === 'active');
    const stream = await watch('cid');
    expect((await stream.waitFor('room')).data).not.toHaveProperty('soldOut');
    const reservationId = await buy('ann', 'A-1-1');
    await buy('bob', 'A-1-2');
    await until('cid to be told', () =>
      stream.events.some(({ name, data }) => name === 'room' && data.soldOut === true),
    );
    expect(
      await until('dan to hear of it', async () => {
        const answer = await status('dan');
        return answer.eventInfo.soldOut === true && answer;
      }),
    ).toMatchObject({ status: 'queued', position: 2, waitReason: 'sold_out', currentUsers: 0 });
    const { length } = stream.events;
    await ask('ann', 'POST', `/api/reservations/${reservationId}/cancel`);
    expect((await stream.waitFor('admitted', length)).data.entryToken).toBeDefined();
    // A position may be as old as one tick.
    const first = await until('dan to be first', async () => {
      const answer = await status('dan');
      return answer.position !== 2 && answer;
    });
    expect(first).toMatchObject({ status: 'queued', position: 1 });
    await buy('cid', 'A-1-1');
    await until('dan to hear of it', async () => (await status('dan')).eventInfo.soldOut === true);
  });
}

describeWithPostgres('a line that follows the stock', () => {
  let postgres: PostgresDatabases;
  beforeAll(async () => {
    postgres = await sharedPostgres();
  });
  describeSale(async () => ({ DATABASE_URL: await postgres.createDatabase() }));

  describeWithRedis('in Redis', () => {
    let redis: RedisServer;
    beforeAll(async () => {
      redis = await startRedis();
    });
    afterAll(() => redis.stop());
    describeSale(async () => ({ DATABASE_URL: await postgres.createDatabase(), REDIS_URL: redis.url }));
  });
});
