/** 64 buyers race for the same 1,000 seats until they are sold out. */
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { databaseSchema } from '../../src/compose/database-schema.ts';
import { createSandboxLedger } from '../../src/payments/postgres/sandbox-ledger.ts';
import { createSandboxProvider } from '../../src/payments/sandbox/sandbox-provider.ts';
import { createRedisClient } from '../../src/platform/redis/connect.ts';
import { awaitReady } from '../../src/platform/redis/connection.ts';
import { RedisSeatLock } from '../../src/shop/redis/redis-seat-lock.ts';
import { noSeatLock, type SeatLock } from '../../src/shop/seat-lock.ts';
import { createPayments, type Payments } from '../payments/payment-fixture.ts';
import { describeOnEachDatabase, onPostgres, type SuiteDatabase } from '../support/databases.ts';
import { describeWithRedis, startRedis } from '../support/redis-server.ts';

const BUYERS = 64;
/** So many seats, the best that are left, everybody wants: at any time about half of them are somebody's already. */
const WANTED = 600;
const MOST_AT_ONCE = 5;
const ROWS = 40;
const SEATS_PER_ROW = 25;
const CARDS = ['card-approve', 'card-approve', 'card-approve', 'card-twice', 'card-decline'];

interface Race {
  shop: Payments;
  eventId: string;
  lock: SeatLock;
  /** As the buyers see it; often behind the truth. */
  left: Set<string>;
  /** What somebody is paying for, and who waits for the end of that because there is nothing else left. */
  held: Set<string>;
  waiting: (() => void)[];
}

async function race(suite: SuiteDatabase, lock: SeatLock): Promise<void> {
  const shop = createPayments(suite);
  const ledger = createSandboxLedger(suite.lazy, shop.clock);
  const cashier = shop.cashierWith({ provider: createSandboxProvider(ledger) });
  const eventId = await shop.createEvent({
    sections: [{ id: 'A', name: 'Hall', rows: ROWS, seatsPerRow: SEATS_PER_ROW, price: 1_000 }],
    standing: [],
    maxPerPerson: ROWS * SEATS_PER_ROW,
  });
  const left = new Set(
    Array.from(
      { length: ROWS * SEATS_PER_ROW },
      (_, i) => `A-${Math.floor(i / SEATS_PER_ROW) + 1}-${(i % SEATS_PER_ROW) + 1}`,
    ),
  );
  const taking = { shop, eventId, lock, left, held: new Set<string>(), waiting: [] };
  await Promise.all(Array.from({ length: BUYERS }, (_, i) => buyUntilSoldOut(`buyer-${i}`, taking, cashier)));

  expect((await shop.events.findEvent(eventId))!.seats).toEqual({ total: ROWS * SEATS_PER_ROW, remaining: 0 });
  expect(await shop.findContradictions(eventId)).toEqual([]);
  const { rows } = await sql<Record<string, number>>`
    select
      (select count(*)::int from reservation_items i join reservations r on r.id = i.reservation_id
       where r.event_id = ${eventId} and r.state = 'confirmed') as sold,
      (select count(distinct i.seat_id)::int from reservation_items i join reservations r on r.id = i.reservation_id
       where r.event_id = ${eventId} and r.state = 'confirmed') as seats,
      (select sum(amount)::int from reservations where event_id = ${eventId} and state = 'confirmed') as confirmed,
      (select coalesce(sum(c.amount), 0)::int from sandbox_charges c join payments p using (order_id)
       where p.event_id = ${eventId} and c.state in ('captured', 'refunded')) as captured,
      (select coalesce(sum(c.amount), 0)::int from sandbox_charges c join payments p using (order_id)
       where p.event_id = ${eventId} and c.state = 'refunded') as refunded`.execute(suite.db);
  const { sold, seats, confirmed, captured, refunded } = rows[0]!;
  expect({ sold, seats }).toEqual({ sold: ROWS * SEATS_PER_ROW, seats: ROWS * SEATS_PER_ROW });
  expect(captured).toBe(confirmed! + refunded!);
  // One would be repeated and no buyer hear of it; that there is none is due to locks being taken in one order.
  const deadlocks = await sql`select deadlocks::int from pg_stat_database where datname = current_database()`.execute(
    suite.db,
  );
  expect(deadlocks.rows).toEqual([{ deadlocks: 0 }]);
}

async function buyUntilSoldOut(visitor: string, taking: Race, cashier: Payments['cashier']): Promise<void> {
  const { shop, eventId, lock, left, held } = taking;
  while (left.size > 0) {
    if ([...left].every((id) => held.has(id))) {
      await new Promise<void>((resolve) => taking.waiting.push(resolve));
      continue;
    }
    const ids = choose(left);
    const outcome = await lock.with(eventId, ids, () => shop.holds.holdSeats({ eventId, visitor, seats: { ids } }));
    // Whoever has them may yet fail to pay, so they are wanted until they are sold for certain.
    if (outcome === 'busy' || outcome.outcome === 'taken') continue;
    if (outcome.outcome !== 'held') throw new Error(`a buyer was told ${outcome.outcome}`);
    const { reservationId, items } = outcome.reservation;
    expect(items.map((item) => 'seatId' in item && item.seatId).sort()).toEqual([...ids].sort());
    for (const id of ids) held.add(id);
    const isGivenUp = await payOrGiveUp(visitor, reservationId, shop, cashier);
    for (const id of ids) {
      held.delete(id);
      left[isGivenUp ? 'add' : 'delete'](id);
    }
    for (const wake of taking.waiting.splice(0)) wake();
  }
}

/** Everybody wants to sit together at the front; the seats are named in any order. */
function choose(left: Set<string>): string[] {
  const front = [...left].slice(0, WANTED);
  const from = Math.floor(Math.random() * front.length);
  return front.slice(from, from + 1 + Math.floor(Math.random() * MOST_AT_ONCE)).sort(() => Math.random() - 0.5);
}

async function payOrGiveUp(
  visitor: string,
  reservationId: string,
  shop: Payments,
  cashier: Payments['cashier'],
): Promise<boolean> {
  const { orderId, paymentKey, amount } = await shop.prepare(reservationId, visitor);
  const method = CARDS[Math.floor(Math.random() * CARDS.length)]!;
  const paid = await cashier.confirm({ orderId, paymentKey, amount, currency: 'KRW', method, visitor });
  if (paid.outcome !== 'done') throw new Error(`a buyer was told ${paid.outcome}`);
  const isGivenUp = paid.payment.state === 'declined' || Math.random() < 0.05;
  if (isGivenUp) await cashier.cancel(reservationId);
  return isGivenUp;
}

describeOnEachDatabase('a sale of 1,000 seats to 64 buyers', databaseSchema, (suite) => {
  it('sells each seat once, never in part, and the money is right', () => race(suite, noSeatLock), 120_000);
});

describeWithRedis('a sale with locks on seats in Redis', () => {
  let redis: Awaited<ReturnType<typeof startRedis>>;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  const suite = onPostgres(databaseSchema);

  it('comes out as well on PostgreSQL', async () => {
    const client = createRedisClient({ url: redis.url });
    client.on('error', () => {});
    await awaitReady(client);
    const lock = new RedisSeatLock(client, pino({ level: 'silent' }));
    await race(suite, lock);
    expect(await client.keys('lock:seat:*'), 'every lock is given back').toEqual([]);
    await lock.close();
  }, 120_000);
});
