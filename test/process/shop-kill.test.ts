/** kill -9 at each step of a purchase: after a restart the buyer can go on, and nothing stays held for ever. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWithPostgres, type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { type Answer, type ServerProcess, startServer } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const env = () => ({
  DATA_DIR: tempFolder(),
  SHOP: 'on',
  KEEPER_INTERVAL_MS: '50',
  PAYMENT_TIMEOUT_MS: '300',
  LIMIT_HOLD_PER_VISITOR: '0',
  LIMIT_PAYMENT_PER_VISITOR: '0',
});

async function sell(server: ServerProcess): Promise<void> {
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await server.ask(method, `/api/admin${path}`, {
      operator: true,
      ...(body === undefined ? {} : { body }),
    });
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  };
  const sections = [{ id: 'A', name: 'Front', rows: 2, seatsPerRow: 10, price: 50_000 }];
  await ask('PUT', '/layouts/hall', { name: 'Hall', sections, standing: [] });
  const startsAt = new Date(Date.now() + 30 * 86_400_000).toISOString();
  await ask('PUT', '/events/concert', { title: 'Concert', startsAt });
  await ask('POST', '/events/concert/seats', { layoutId: 'hall' });
  await ask('POST', '/events/concert/open');
}

/** A buyer as a browser is one: it has the entry token as a header, and asks until it gets an answer. */
async function enter(server: ServerProcess, user: string): Promise<Record<string, string>> {
  const { body } = await server.ask('POST', '/api/queue/check/concert', { user });
  return { 'x-queue-entry-token': body.entryToken };
}

const post = (server: ServerProcess, user: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
  server.ask('POST', path, { user, body, headers });

async function remaining(server: ServerProcess): Promise<number> {
  return (await server.ask('GET', '/api/events/concert')).body.seats.remaining;
}

async function reservationsOf(
  server: ServerProcess,
  user: string,
): Promise<{ status: string; reservationId: string }[]> {
  return (await server.ask('GET', '/api/reservations/my', { user })).body;
}

async function payAndKill(settings: Record<string, string>, method: string, delayMs: number): Promise<void> {
  const server = await startServer(settings);
  await sell(server);
  const headers = await enter(server, 'ann');
  const held = await post(server, 'ann', '/api/seats/reserve', { eventId: 'concert', best: { count: 2 } }, headers);
  const { reservationId } = held.body;
  const prepared = await post(server, 'ann', '/api/payments/prepare', { reservationId });
  const { orderId, paymentKey, amount } = prepared.body;
  const confirm = { orderId, paymentKey, amount, method };
  const cut = post(server, 'ann', '/api/payments/confirm', confirm).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, delayMs));
  await server.kill('SIGKILL');
  await cut;
  const again = await startServer(settings);
  const state = async () => (await again.ask('GET', `/api/payments/order/${orderId}`, { user: 'ann' })).body.status;
  // The buyer's page repeats what got no answer.
  await post(again, 'ann', '/api/payments/confirm', { ...confirm, method: 'card-approve' });
  await until('the payment to be confirmed', async () => (await state()) === 'confirmed');
  expect(await remaining(again)).toBe(18);
  expect((await reservationsOf(again, 'ann')).map(({ status }) => status)).toEqual(['confirmed']);
  await until('the place inside to be free', async () => {
    const { body } = await again.ask('GET', '/api/queue/status/concert', { user: 'ann' });
    return body.status === 'not_in_queue';
  });
  await again.kill('SIGKILL');
}

function kills(databaseEnv: () => Promise<Record<string, string>>): void {
  it('while holding: the same request finds or makes the hold', async () => {
    const settings = { ...env(), ...(await databaseEnv()) };
    const server = await startServer(settings);
    await sell(server);
    const headers = { ...(await enter(server, 'ann')), 'idempotency-key': 'k1' };
    const hold = { eventId: 'concert', seatIds: ['A-1-1', 'A-1-2'] };
    const cut: Promise<Answer | undefined> = post(server, 'ann', '/api/seats/reserve', hold, headers).catch(
      () => undefined,
    );
    await server.kill('SIGKILL');
    await cut;
    const again = await startServer(settings);
    const held = await post(again, 'ann', '/api/seats/reserve', hold, headers);
    expect([200, 201]).toContain(held.status);
    expect(await remaining(again)).toBe(18);
    expect(await reservationsOf(again, 'ann')).toHaveLength(1);
    await again.kill('SIGKILL');
  });

  it.each([
    ['before the provider is asked', 'card-approve', 0],
    ['while the provider is asked and does not answer', 'card-timeout', 100],
    ['while the provider takes its time', 'card-late', 200],
  ])('while paying, %s: the money becomes a reservation', async (_when, method, delayMs) => {
    await payAndKill({ ...env(), ...(await databaseEnv()) }, method, delayMs);
  });

  it('while cancelling: the refund is made', async () => {
    const settings = { ...env(), ...(await databaseEnv()) };
    const server = await startServer(settings);
    await sell(server);
    const headers = await enter(server, 'ann');
    const held = await post(server, 'ann', '/api/seats/reserve', { eventId: 'concert', best: { count: 2 } }, headers);
    const { reservationId } = held.body;
    const { orderId, paymentKey, amount } = (await post(server, 'ann', '/api/payments/prepare', { reservationId }))
      .body;
    await post(server, 'ann', '/api/payments/confirm', { orderId, paymentKey, amount });
    const cut = post(server, 'ann', `/api/reservations/${reservationId}/cancel`, {}).catch(() => undefined);
    await server.kill('SIGKILL');
    await cut;
    const again = await startServer(settings);
    await post(again, 'ann', `/api/reservations/${reservationId}/cancel`, {});
    await until('the refund', async () => {
      const { body } = await again.ask('GET', `/api/payments/order/${orderId}`, { user: 'ann' });
      return body.status === 'refunded';
    });
    expect(await remaining(again)).toBe(20);
    await again.kill('SIGKILL');
  });

  it('while holding and never coming back: the seats are free again', async () => {
    const settings = { ...env(), ...(await databaseEnv()), HOLD_SECONDS: '2' };
    const server = await startServer(settings);
    await sell(server);
    const headers = await enter(server, 'ann');
    await post(server, 'ann', '/api/seats/reserve', { eventId: 'concert', best: { count: 2 } }, headers);
    await server.kill('SIGKILL');
    const again = await startServer(settings);
    await until('the hold to end', async () => (await reservationsOf(again, 'ann'))[0]?.status === 'expired');
    expect(await remaining(again)).toBe(20);
    await again.kill('SIGKILL');
  });
}

describe('kill -9 during a purchase, on PGlite', () => {
  // The steps are the same; what differs is whether the database survives, which one purchase shows.
  it('while the provider is asked and does not answer: the money becomes a reservation', () =>
    payAndKill(env(), 'card-timeout', 100));
});

describeWithPostgres('kill -9 during a purchase, on PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());
  kills(async () => ({ DATABASE_URL: await server.createDatabase() }));
});
