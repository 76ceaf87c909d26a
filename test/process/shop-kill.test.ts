/** kill -9 at each step of a purchase: after a restart the buyer can continue, and nothing stays held. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HaltingProxy, type Step, startHaltingProxy } from '../support/halting-proxy.ts';
import {
  ask as askDatabase,
  describeWithPostgres,
  type PostgresServer,
  startPostgres,
} from '../support/postgres-server.ts';
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
const SEATS = 40;

async function sell(server: ServerProcess): Promise<void> {
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await server.ask(method, `/api/admin${path}`, {
      operator: true,
      ...(body === undefined ? {} : { body }),
    });
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  };
  const sections = [{ id: 'A', name: 'Front', rows: 4, seatsPerRow: 10, price: 50_000 }];
  await ask('PUT', '/layouts/hall', { name: 'Hall', sections, standing: [] });
  const startsAt = new Date(Date.now() + 30 * 86_400_000).toISOString();
  await ask('PUT', '/events/concert', { title: 'Concert', startsAt });
  await ask('POST', '/events/concert/seats', { layoutId: 'hall' });
  await ask('POST', '/events/concert/open');
}

/** A buyer with a browser: repeats a request that got no response. */
function createBuyer(user: string) {
  let headers: Record<string, string> = { 'idempotency-key': `key of ${user}`.replaceAll(' ', '-') };
  let order: { orderId: string; paymentKey: string; amount: number };
  const post = (server: ServerProcess, path: string, body: unknown) =>
    server.ask('POST', path, { user, body, headers });
  const buyer = {
    reservationId: '',
    async enter(server: ServerProcess) {
      const { body } = await server.ask('POST', '/api/queue/check/concert', { user });
      headers = { ...headers, 'x-queue-entry-token': body.entryToken };
    },
    async hold(server: ServerProcess) {
      const held = await post(server, '/api/seats/reserve', { eventId: 'concert', best: { count: 2 } });
      buyer.reservationId = held.body.reservationId;
      return held;
    },
    async prepare(server: ServerProcess) {
      const prepared = await post(server, '/api/payments/prepare', { reservationId: buyer.reservationId });
      const { orderId, paymentKey, amount } = prepared.body;
      order = { orderId, paymentKey, amount };
      return prepared;
    },
    confirm: (server: ServerProcess, method = 'card-approve') =>
      post(server, '/api/payments/confirm', { ...order, method }),
    cancel: (server: ServerProcess) => post(server, `/api/reservations/${buyer.reservationId}/cancel`, {}),
    paymentState: async (server: ServerProcess): Promise<string> =>
      (await server.ask('GET', `/api/payments/order/${order.orderId}`, { user })).body.status,
    orderId: () => order.orderId,
    reservations: async (server: ServerProcess): Promise<string[]> =>
      (await server.ask('GET', '/api/reservations/my', { user })).body.map(({ status }: { status: string }) => status),
    place: async (server: ServerProcess): Promise<string> =>
      (await server.ask('GET', '/api/queue/status/concert', { user })).body.status,
  };
  return buyer;
}

type Buyer = ReturnType<typeof createBuyer>;

async function expectBought(buyer: Buyer, server: ServerProcess): Promise<void> {
  await until('the payment to be confirmed', async () => (await buyer.paymentState(server)) === 'confirmed');
  expect(await buyer.reservations(server)).toEqual(['confirmed']);
  await until('the place inside to be free', async () => (await buyer.place(server)) === 'not_in_queue');
}

async function expectRefunded(buyer: Buyer, server: ServerProcess): Promise<void> {
  await until('the refund', async () => (await buyer.paymentState(server)) === 'refunded');
  expect(await buyer.reservations(server)).toEqual(['cancelled']);
}

interface Death {
  step: Step;
  /** The buyer's step before the kill. */
  from: 'entered' | 'held' | 'prepared' | 'bought';
  /** The request during which the process dies. */
  cut: (buyer: Buyer, server: ServerProcess) => Promise<Answer>;
  /** The checks after the restart; `databaseUrl` is there to move times forward. */
  after: (buyer: Buyer, server: ServerProcess, databaseUrl: string) => Promise<void>;
}

const HOLDING = { from: 'entered', cut: (buyer: Buyer, server: ServerProcess) => buyer.hold(server) } as const;
const PAYING = { from: 'prepared', cut: (buyer: Buyer, server: ServerProcess) => buyer.confirm(server) } as const;
const CANCELLING = { from: 'bought', cut: (buyer: Buyer, server: ServerProcess) => buyer.cancel(server) } as const;
const REFUND = "set state = 'refunded'";

const deaths: Record<string, Death> = {
  'holding, before the database call': {
    ...HOLDING,
    step: { statement: 'hold_seats(', when: 'before' },
    async after(buyer, server) {
      expect((await buyer.hold(server)).status).toBe(201);
      expect(await buyer.reservations(server)).toEqual(['held']);
    },
  },
  'holding, before the response': {
    ...HOLDING,
    step: { statement: 'hold_seats(', when: 'after' },
    async after(buyer, server) {
      expect((await buyer.hold(server)).status).toBe(200);
      expect(await buyer.reservations(server)).toEqual(['held']);
    },
  },
  'holding, and the buyer never returns': {
    ...HOLDING,
    step: { statement: 'hold_seats(', when: 'after' },
    async after(buyer, server, url) {
      const past = "now() - interval '1 second'";
      await askDatabase(url, `update seats set held_until = ${past} where state = 'held'`);
      await askDatabase(url, `update reservations set hold_ends_at = ${past} where state = 'held'`);
      await until('the hold to end', async () => (await buyer.reservations(server))[0] === 'expired');
      // A hold that has ended is shown as expired at once; its seats are free after the next sweep.
      await until('the seats to be free', async () => {
        const [row] = await askDatabase(url, "select count(*)::int as held from seats where state = 'held'");
        return (row as { held: number }).held === 0;
      });
    },
  },
  preparing: {
    from: 'held',
    cut: (buyer, server) => buyer.prepare(server),
    step: { statement: 'insert into payments', at: 'commit', when: 'after' },
    async after(buyer, server) {
      expect((await buyer.prepare(server)).status).toBe(200);
      await buyer.confirm(server);
      await expectBought(buyer, server);
    },
  },
  'paying, before it is stored': {
    ...PAYING,
    step: { statement: 'keep_hold(', when: 'after' },
    async after(buyer, server) {
      expect(await buyer.paymentState(server)).toBe('prepared');
      expect((await buyer.confirm(server)).status).toBe(200);
      await expectBought(buyer, server);
    },
  },
  'paying, before the provider is called': {
    ...PAYING,
    step: { statement: 'insert into sandbox_charges', when: 'before' },
    async after(buyer, server, url) {
      expect((await buyer.confirm(server)).status).toBe(202);
      const sooner = `asked_at = asked_at - interval '61 seconds', look_at = now()`;
      await askDatabase(url, `update payments set ${sooner} where order_id = '${buyer.orderId()}'`);
      await until('the payment to be given up', async () => (await buyer.paymentState(server)) === 'declined');
      await buyer.prepare(server);
      await buyer.confirm(server);
      await expectBought(buyer, server);
    },
  },
  'paying, after the capture': {
    ...PAYING,
    step: { statement: 'insert into sandbox_charges', when: 'after' },
    after: expectBought,
  },
  'paying, during the confirmation': {
    ...PAYING,
    step: { statement: 'confirm_reservation(', when: 'after' },
    after: expectBought,
  },
  'paying, before the slot is released': {
    ...PAYING,
    step: { statement: 'confirm_reservation(', at: 'commit', when: 'after' },
    after: expectBought,
  },
  'cancelling, before it is stored': {
    ...CANCELLING,
    step: { statement: 'cancel_reservation(', when: 'after' },
    async after(buyer, server) {
      expect(await buyer.paymentState(server)).toBe('confirmed');
      await buyer.cancel(server);
      await expectRefunded(buyer, server);
    },
  },
  'cancelling, before the provider is called': {
    ...CANCELLING,
    step: { statement: REFUND, when: 'before' },
    after: expectRefunded,
  },
  'cancelling, after the refund': {
    ...CANCELLING,
    step: { statement: REFUND, when: 'after' },
    after: expectRefunded,
  },
};

async function bring(buyer: Buyer, server: ServerProcess, to: Death['from']): Promise<void> {
  await buyer.enter(server);
  if (to === 'entered') return;
  await buyer.hold(server);
  if (to === 'held') return;
  await buyer.prepare(server);
  if (to === 'prepared') return;
  await buyer.confirm(server);
}

describeWithPostgres('kill -9 during a purchase, on PostgreSQL', () => {
  let postgres: PostgresServer;
  let proxy: HaltingProxy;
  let databaseUrl: string;
  beforeAll(async () => {
    postgres = await startPostgres();
    databaseUrl = await postgres.createDatabase();
    proxy = await startHaltingProxy(databaseUrl);
  });
  afterAll(async () => {
    await proxy.close();
    await postgres.stop();
  });

  // In sequence: the process that restarts after one kill is the one killed next, which saves half of the starts.
  it(`loses no purchase and no payment, at each of ${Object.keys(deaths).length} steps`, async () => {
    const settings = { ...env(), DATABASE_URL: proxy.url };
    let server = await startServer(settings);
    await sell(server);
    const buyers: Buyer[] = [];
    for (const [when, { step, from, cut, after }] of Object.entries(deaths)) {
      const buyer = createBuyer(when);
      buyers.push(buyer);
      await bring(buyer, server, from);
      const reached = proxy.haltAt(step);
      const unanswered = cut(buyer, server).catch(() => undefined);
      await reached;
      await server.kill('SIGKILL');
      expect(await unanswered, when).toBeUndefined();
      // Makes the payments due for the keeper.
      await askDatabase(databaseUrl, 'update payments set look_at = now() where look_at is not null');
      server = await startServer(settings);
      await after(buyer, server, databaseUrl).catch((error) => {
        throw new Error(`killed while ${when}`, { cause: error });
      });
    }
    const states = await Promise.all(buyers.map((buyer) => buyer.reservations(server)));
    const alive = states.flat().filter((state) => state === 'held' || state === 'confirmed').length;
    const { body } = await server.ask('GET', '/api/events/concert');
    expect(body.seats).toEqual({ total: SEATS, remaining: SEATS - 2 * alive });
    await server.kill('SIGKILL');
  }, 180_000);
});

describe('kill -9 during a purchase, on PGlite', () => {
  // The steps are the same; only the survival of the database differs, and one purchase shows that.
  it('while the provider does not respond: the payment becomes a reservation', async () => {
    const settings = env();
    const server = await startServer({ ...settings, PAYMENT_TIMEOUT_MS: '5000' });
    await sell(server);
    const buyer = createBuyer('ann');
    await bring(buyer, server, 'prepared');
    const unanswered = buyer.confirm(server, 'card-timeout').catch(() => undefined);
    await until('the payment to be under way', async () => (await buyer.paymentState(server)) === 'confirming');
    // The next response of the database comes after the entry in the provider's ledger.
    await buyer.reservations(server);
    await server.kill('SIGKILL');
    await unanswered;
    const again = await startServer(settings);
    await expectBought(buyer, again);
    await again.kill('SIGKILL');
  }, 180_000);
});
