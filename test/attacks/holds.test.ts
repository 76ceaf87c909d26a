/** Attacks on holds: more tickets than the limit, tickets without an admission, holds that never end. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { databaseSchema } from '../../src/compose/database-schema.ts';
import { takeOverPayments } from '../../src/payments/postgres/take-over-payments.ts';
import { inTransaction } from '../../src/platform/database/transaction.ts';
import { createAppend } from '../../src/records/postgres/append.ts';
import { takeOverReservations } from '../../src/shop/postgres/reservation-changes.ts';
import { PostgresTransferStore } from '../../src/transfers/postgres/postgres-transfer-store.ts';
import { createPayments, KEEP_MS, LONGEST_HOLD_MS, type Payments } from '../payments/payment-fixture.ts';
import { type Buyer, type ShopApp, shareShopDatabase } from '../shop/shop-app.ts';
import { HOLD_MS, unique } from '../shop/shop-fixture.ts';
import { describeOnEachDatabase } from '../support/databases.ts';
import { describeWithPostgres } from '../support/postgres-server.ts';

const LIMIT = 4;
const row = (number: number) => [1, 2, 3, 4].map((seat) => `A-${number}-${seat}`);
const NOT_ADMITTED = { admission: undefined };

describeOnEachDatabase('a hold that has ended', databaseSchema, (suite) => {
  async function start() {
    const shop = createPayments(suite);
    return { ...shop, eventId: await shop.createEvent(), visitor: unique('mallory') };
  }

  /** Holds four seats in each of these rows, one after the other has ended, and prepares the payment of each. */
  async function holdAndLetEnd(shop: Awaited<ReturnType<typeof start>>, rows: number[]) {
    const payments = [];
    for (const number of rows) {
      const { reservationId } = await shop.hold(shop.eventId, shop.visitor, ...row(number));
      payments.push(await shop.prepare(reservationId, shop.visitor));
      shop.clock.advance(HOLD_MS + 1);
      await shop.keep();
    }
    return payments;
  }

  async function countTickets({ holds }: Payments, visitor: string): Promise<number> {
    const bought = (await holds.listOf(visitor)).filter(({ state }) => state === 'confirmed');
    return bought.flatMap(({ items }) => items).length;
  }

  it('counts against the ticket limit again, however many are paid in turn', async () => {
    const shop = await start();
    const payments = await holdAndLetEnd(shop, [1, 2]);
    const outcomes = [];
    // The newest first, since the oldest is past its longest time.
    for (const payment of payments.reverse()) outcomes.push(await shop.pay(payment));
    expect(outcomes).toMatchObject([{ outcome: 'done', payment: { state: 'confirmed' } }, { outcome: 'hold-ended' }]);
    expect(await countTickets(shop, shop.visitor)).toBe(LIMIT);
  });

  it('counts against the ticket limit again, when several are paid at once', async () => {
    const shop = await start();
    const payments = [];
    // Three holds that ended early, so that all are within their longest time.
    for (const number of [1, 2, 3]) {
      const { reservationId } = await shop.hold(shop.eventId, shop.visitor, ...row(number));
      payments.push(await shop.prepare(reservationId, shop.visitor));
      shop.clock.advance(HOLD_MS / 4);
      await sql`update reservations set hold_ends_at = ${new Date(shop.clock.now())} where id = ${reservationId}`.execute(
        suite.db,
      );
      await shop.keep();
    }
    const outcomes = await Promise.all(payments.map((payment) => shop.pay(payment)));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['done', 'over-limit', 'over-limit']);
    expect(await countTickets(shop, shop.visitor)).toBe(LIMIT);
    expect(await shop.findContradictions(shop.eventId)).toEqual([]);
  });

  it('cannot be paid without an admission, and nothing is charged', async () => {
    const shop = await start();
    const [payment] = await holdAndLetEnd(shop, [1]);
    const refused = await shop.pay(payment!, shop.cashier, NOT_ADMITTED);
    expect(refused).toEqual({ outcome: 'needs-admission', eventId: shop.eventId });
    expect(shop.provider.charges.size).toBe(0);
    expect(await shop.pay(payment!)).toMatchObject({ payment: { state: 'confirmed' } });
  });

  it('is refunded if its payment arrives when the buyer has got the limit in another way', async () => {
    const shop = await start();
    const { reservationId } = await shop.hold(shop.eventId, shop.visitor, ...row(1));
    const late = await shop.prepare(reservationId, shop.visitor);
    shop.provider.behave = async () => 'pending';
    await shop.pay(late);
    shop.clock.advance(HOLD_MS + KEEP_MS);
    shop.provider.behave = async () => 'captured';
    const second = await shop.hold(shop.eventId, shop.visitor, ...row(2));
    await shop.pay(await shop.prepare(second.reservationId, shop.visitor));
    shop.provider.charges.set(late.orderId, 'captured');
    expect(await shop.cashier.settle(late.orderId, 'captured')).toMatchObject({ payment: { state: 'refunded' } });
    expect(await countTickets(shop, shop.visitor)).toBe(LIMIT);
    expect(await shop.findLooseEnds(shop.eventId)).toEqual([]);
    expect(await shop.findContradictions(shop.eventId)).toEqual([]);
  });

  it('is refunded if it was paid at the provider without a confirmation here', async () => {
    const shop = await start();
    const [payment] = await holdAndLetEnd(shop, [1]);
    shop.provider.charges.set(payment!.orderId, 'captured');
    expect(await shop.cashier.settle(payment!.orderId, 'captured')).toMatchObject({ payment: { state: 'refunded' } });
    expect(await countTickets(shop, shop.visitor)).toBe(0);
  });

  it('is not joined with the tickets of an account beyond the limit by signing in', async () => {
    const shop = await start();
    const [guest, user] = [unique('guest'), shop.visitor];
    const bought = await shop.hold(shop.eventId, user, ...row(1));
    await shop.pay(await shop.prepare(bought.reservationId, user));
    const { reservationId } = await shop.hold(shop.eventId, guest, ...row(2));
    await inTransaction(suite.db, async (tx) => {
      await takeOverPayments(tx, guest, user);
      await takeOverReservations(tx, guest, user);
    });
    const refused = await shop.pay(await shop.prepare(reservationId, user));
    expect(refused).toEqual({ outcome: 'over-limit', limit: LIMIT, have: LIMIT });
    expect(shop.provider.charges.size).toBe(1);
  });
});

describeOnEachDatabase('the time of a hold', databaseSchema, (suite) => {
  /** Declined attempts, one every 50 seconds, until the payment is refused; returns how long that took. */
  async function declineUntilRefused(shop: Payments, attempt: () => Promise<{ outcome: string }>): Promise<number> {
    shop.provider.behave = async () => 'declined';
    const begin = shop.clock.now();
    while (shop.clock.now() < begin + 2 * LONGEST_HOLD_MS) {
      if ((await attempt()).outcome !== 'done') break;
      shop.clock.advance(50_000);
      await shop.keep();
    }
    return shop.clock.now() - begin;
  }

  it('ends, however often a payment is prepared and declined', async () => {
    const shop = createPayments(suite);
    const eventId = await shop.createEvent();
    const visitor = unique('mallory');
    const { reservationId, createdAt } = await shop.hold(eventId, visitor, 'A-1-1');
    const lasted = await declineUntilRefused(shop, async () => {
      const outcome = await shop.pay(await shop.prepare(reservationId, visitor), shop.cashier, NOT_ADMITTED);
      const { state, holdEndsAt } = (await shop.holds.find(reservationId))!;
      expect(holdEndsAt).toBeLessThanOrEqual(createdAt + LONGEST_HOLD_MS);
      if (outcome.outcome === 'done') expect(state).toBe('held');
      return outcome;
    });
    expect(lasted).toBeGreaterThan(HOLD_MS);
    expect(lasted).toBeLessThanOrEqual(LONGEST_HOLD_MS + 50_000);
    // Not for an admitted buyer either: they make a new hold.
    expect(await shop.pay(await shop.prepare(reservationId, visitor))).toEqual({ outcome: 'hold-ended' });
    expect(await shop.hold(eventId, unique('bob'), 'A-1-1')).toMatchObject({ state: 'held' });
  });

  it('ends for the reservation of a transfer too, and another buyer gets it', async () => {
    const shop = createPayments(suite);
    const transfers = new PostgresTransferStore({ database: suite.lazy, append: createAppend(), clock: shop.clock });
    const eventId = await shop.createEvent();
    const [seller, mallory, bob] = [unique('seller'), unique('mallory'), unique('bob')];
    const { reservationId } = await shop.hold(eventId, seller, 'A-1-1');
    await shop.pay(await shop.prepare(reservationId, seller));
    const listed = await transfers.list(reservationId, seller, 1_000);
    const { transferId } = (listed as Extract<typeof listed, { transfer: unknown }>).transfer;
    const buy = async (visitor: string) => {
      const prepared = await shop.payments.prepare(transferId, visitor, 'transfer');
      if (prepared.outcome !== 'prepared') throw new Error(prepared.outcome);
      return shop.pay(prepared.payment);
    };
    const lasted = await declineUntilRefused(shop, () => buy(mallory));
    expect(lasted).toBeLessThanOrEqual(LONGEST_HOLD_MS + 50_000);
    shop.provider.behave = async () => 'captured';
    expect(await buy(bob)).toMatchObject({ payment: { state: 'confirmed' } });
  });
});

describeWithPostgres('the shop', () => {
  const { createShopApp } = shareShopDatabase();

  async function holdAndPrepare(app: ShopApp, ask: Buyer, seatIds: string[]) {
    const held = await ask('POST', '/api/seats/reserve', { eventId: app.eventId, seatIds });
    expect(held.statusCode, held.body).toBe(201);
    const { reservationId } = held.json();
    const { orderId, paymentKey, amount } = (await ask('POST', '/api/payments/prepare', { reservationId })).json();
    return { reservationId, order: { orderId, paymentKey, amount } };
  }

  it('sells at most the limit, and only to admitted buyers, to someone who lets holds end and leaves the line', async () => {
    const app = await createShopApp();
    const mallory = await app.buyer('mallory');
    const first = await holdAndPrepare(app, mallory, row(1));
    app.clock.advance(HOLD_MS + 1);
    await app.context.shop!.keep();
    const second = await holdAndPrepare(app, mallory, row(2));
    app.clock.advance(HOLD_MS + 1);
    await app.context.shop!.keep();
    await mallory('POST', `/api/queue/leave/${app.eventId}`);
    for (const { order } of [first, second]) {
      const refused = await mallory('POST', '/api/payments/confirm', order);
      expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'HOLD_ENDED']);
    }
    expect((await app.operator('GET', `/api/admin/events/${app.eventId}`)).json().seats.remaining).toBe(50);
  });

  it('lets an admitted buyer pay a hold that has just ended, and ends that admission with the purchase', async () => {
    const app = await createShopApp();
    const ann = await app.buyer('ann');
    const { reservationId, order } = await holdAndPrepare(app, ann, ['A-1-1']);
    app.clock.advance(HOLD_MS + 1);
    await app.context.shop!.keep();
    await app.as('ann')('POST', `/api/queue/leave/${app.eventId}`);
    const again = await app.buyer('ann');
    const withoutToken = await app.as('ann')('POST', '/api/payments/confirm', { body: order });
    expect(withoutToken.json()).toMatchObject({
      error: { code: 'HOLD_ENDED' },
      redirectTo: `/queue/${app.eventId}`,
    });
    expect((await again('POST', '/api/payments/confirm', order)).json()).toMatchObject({ status: 'confirmed' });
    expect((await again('GET', `/api/reservations/${reservationId}`)).json().status).toBe('confirmed');
    const { visits } = app.context.line;
    expect(await visits.find(app.eventId, 'ann')).toMatchObject({ standing: { state: 'absent' } });
  });

  it('counts a transfer that is paid and not yet handed over in the first hold of its buyer', async () => {
    const app = await createShopApp();
    const ann = await app.buyer('ann');
    const { reservationId, order } = await holdAndPrepare(app, ann, row(1));
    await ann('POST', '/api/payments/confirm', order);
    const listed = await ann('POST', '/api/transfers', { reservationId, price: 1_000 });
    const { transferId } = listed.json();
    const mallory = await app.buyer('mallory');
    const purchase = { paymentType: 'transfer', referenceId: transferId };
    const { orderId, paymentKey, amount } = (await mallory('POST', '/api/payments/prepare', purchase)).json();
    const paid = await mallory('POST', '/api/payments/confirm', { orderId, paymentKey, amount });
    expect(paid.json()).toMatchObject({ status: 'confirmed' });
    // The log is not read here, so the transfer stays paid.
    const held = await mallory('POST', '/api/seats/reserve', { eventId: app.eventId, seatIds: ['A-2-1'] });
    expect(held.json()).toMatchObject({ error: { code: 'LIMIT_PER_PERSON' } });
  });
});
