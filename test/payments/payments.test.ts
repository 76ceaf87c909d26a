import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { databaseSchema } from '../../src/compose/database-schema.ts';
import { HOLD_MS, unique } from '../shop/shop-fixture.ts';
import { describeOnEachDatabase } from '../support/databases.ts';
import { CHECK_AFTER_MS, createPayments, KEEP_MS } from './payment-fixture.ts';

describeOnEachDatabase('payments', databaseSchema, (suite) => {
  async function held(...seats: string[]) {
    const shop = createPayments(suite);
    const eventId = await shop.createEvent();
    const { reservationId } = await shop.hold(eventId, 'ann', ...(seats.length > 0 ? seats : ['A-1-1', 'A-1-2']));
    const payment = await shop.prepare(reservationId, 'ann');
    return { ...shop, eventId, reservationId, payment };
  }

  it('confirm the reservation with the capture, once, and release the buyer’s slot', async () => {
    const shop = await held();
    expect(await shop.prepare(shop.reservationId, 'ann')).toEqual(shop.payment);
    expect(shop.payment).toMatchObject({ amount: 100_000, currency: 'KRW', state: 'prepared' });
    const paid = await Promise.all([shop.pay(shop.payment), shop.pay(shop.payment)]);
    expect(paid.map(({ outcome }) => outcome)).toEqual(['done', 'done']);
    expect(await shop.pay(shop.payment)).toMatchObject({ payment: { state: 'confirmed' } });
    expect((await shop.holds.find(shop.reservationId))!.state).toBe('confirmed');
    expect(shop.released).toEqual(['ann']);
    shop.clock.advance(HOLD_MS * 2);
    await shop.keep();
    expect((await shop.events.findEvent(shop.eventId))!.seats.remaining).toBe(48);
    expect(await shop.findContradictions(shop.eventId)).toEqual([]);
  });

  it('are refused before any charge when amount, currency, key or payer differ', async () => {
    const shop = await held();
    const { orderId, paymentKey, amount } = shop.payment;
    const good = { orderId, paymentKey, amount, currency: 'KRW', method: 'card', visitor: 'ann' };
    expect(await shop.cashier.confirm({ ...good, amount: 1 })).toEqual({ outcome: 'mismatch', field: 'amount' });
    expect(await shop.cashier.confirm({ ...good, currency: 'VND' })).toEqual({
      outcome: 'mismatch',
      field: 'currency',
    });
    expect(await shop.cashier.confirm({ ...good, paymentKey: 'p_x' })).toEqual({
      outcome: 'mismatch',
      field: 'paymentKey',
    });
    expect(await shop.cashier.confirm({ ...good, visitor: 'bob' })).toEqual({ outcome: 'no-payment' });
    expect(await shop.payments.prepare(shop.reservationId, 'bob')).toEqual({ outcome: 'no-payable' });
    expect(shop.provider.charges.size).toBe(0);
  });

  it('take the seats again after the hold ended, if they are free', async () => {
    const shop = await held();
    shop.clock.advance(HOLD_MS + 1);
    await shop.keep();
    expect((await shop.holds.find(shop.reservationId))!.state).toBe('expired');
    expect(await shop.pay(shop.payment)).toMatchObject({ payment: { state: 'confirmed' } });
    expect(await shop.findContradictions(shop.eventId)).toEqual([]);
  });

  it('charge nothing after the hold ended and a seat was taken', async () => {
    const shop = await held();
    shop.clock.advance(HOLD_MS + 1);
    await shop.hold(shop.eventId, 'bob', 'A-1-2');
    expect(await shop.pay(shop.payment)).toEqual({ outcome: 'hold-ended' });
    expect(shop.provider.charges.size).toBe(0);
  });

  it('are refunded in full if captured after the seats were taken', async () => {
    const shop = await held();
    shop.provider.behave = async () => 'pending';
    await shop.pay(shop.payment);
    shop.clock.advance(HOLD_MS + KEEP_MS);
    await shop.hold(shop.eventId, 'bob', 'A-1-2');
    shop.provider.charges.set(shop.payment.orderId, 'captured');
    const settled = await shop.cashier.settle(shop.payment.orderId, 'captured', 'message-1');
    expect(settled).toMatchObject({ payment: { state: 'refunded' } });
    expect(shop.provider.refunds).toEqual([shop.payment.orderId]);
    expect(await shop.findLooseEnds(shop.eventId)).toEqual([]);
    expect(await shop.findContradictions(shop.eventId)).toEqual([]);
  });

  it('can be retried with a new order after a decline, while the hold lasts', async () => {
    const shop = await held();
    shop.provider.behave = async () => 'declined';
    expect(await shop.pay(shop.payment)).toMatchObject({ payment: { state: 'declined' } });
    expect(await shop.pay(shop.payment)).toEqual({ outcome: 'refused', state: 'declined' });
    shop.provider.behave = async () => 'captured';
    const second = await shop.prepare(shop.reservationId, 'ann');
    expect(second.orderId).not.toBe(shop.payment.orderId);
    expect(await shop.pay(second)).toMatchObject({ payment: { state: 'confirmed' } });
  });

  it('are confirmed by the keeper if the provider’s response was lost', async () => {
    const shop = await held();
    shop.provider.behave = async ({ orderId }) => {
      shop.provider.charges.set(orderId, 'captured');
      throw new Error('the connection broke');
    };
    expect(await shop.pay(shop.payment)).toMatchObject({ payment: { state: 'confirming' } });
    expect(await shop.payments.cancel(shop.reservationId)).toEqual({ outcome: 'in-progress' });
    await shop.keep();
    expect((await shop.payments.find(shop.payment))!.state).toBe('confirming');
    shop.clock.advance(CHECK_AFTER_MS);
    await shop.keep();
    expect((await shop.payments.find(shop.payment))!.state).toBe('confirmed');
    expect(await shop.findLooseEnds(shop.eventId)).toEqual([]);
  });

  it('are declined by the keeper if they never reached the provider', async () => {
    const shop = await held();
    shop.provider.behave = async () => {
      throw new Error('no way there');
    };
    await shop.pay(shop.payment);
    shop.clock.advance(KEEP_MS + CHECK_AFTER_MS);
    await shop.keep();
    expect((await shop.payments.find(shop.payment))!.state).toBe('declined');
    expect(await shop.findLooseEnds(shop.eventId)).toEqual([]);
  });

  it('are refunded once when the reservation is cancelled, and free its seats', async () => {
    const shop = await held();
    await shop.pay(shop.payment);
    const cancelled = await shop.cashier.cancel(shop.reservationId);
    expect(cancelled).toMatchObject({ outcome: 'cancelled', refunding: [{ state: 'refunded' }] });
    expect(await shop.cashier.cancel(shop.reservationId)).toEqual({ outcome: 'cancelled', refunding: [] });
    expect(shop.provider.refunds).toHaveLength(1);
    expect(await shop.hold(shop.eventId, 'bob', 'A-1-1')).toMatchObject({ state: 'held' });
    expect(await shop.findContradictions(shop.eventId)).toEqual([]);
  });

  it('are refunded by the keeper after a failed refund', async () => {
    const shop = await held();
    await shop.pay(shop.payment);
    const broken = shop.cashierWith({
      provider: Object.assign(Object.create(shop.provider), { refund: () => Promise.reject(new Error('down')) }),
    });
    expect(await broken.cancel(shop.reservationId)).toMatchObject({ refunding: [{ state: 'refunding' }] });
    shop.clock.advance(CHECK_AFTER_MS);
    await shop.keep();
    expect((await shop.payments.find(shop.payment))!.state).toBe('refunded');
  });

  it('process a message id once, whatever a later copy says', async () => {
    const shop = await held('A-1-1');
    const bobs = await shop.hold(shop.eventId, 'bob', 'A-2-1');
    const other = await shop.prepare(bobs.reservationId, 'bob');
    const id = unique('message');
    expect(await shop.payments.settle(shop.payment.orderId, 'captured', id)).toMatchObject({ outcome: 'settled' });
    expect(await shop.payments.settle(other.orderId, 'captured', id)).toMatchObject({ outcome: 'known' });
    expect((await shop.payments.find(other))!.state).toBe('prepared');
    expect(await shop.payments.settle(shop.payment.orderId, 'refunded', id)).toMatchObject({ outcome: 'known' });
    expect((await shop.payments.find(shop.payment))!.state).toBe('confirmed');
  });

  it('end in one confirmation and one refund for two orders of one reservation', async () => {
    const shop = await held();
    shop.provider.behave = async () => 'declined';
    await shop.pay(shop.payment);
    shop.provider.behave = async () => 'captured';
    await shop.pay(await shop.prepare(shop.reservationId, 'ann'));
    shop.provider.charges.set(shop.payment.orderId, 'captured');
    expect(await shop.cashier.settle(shop.payment.orderId, 'captured')).toMatchObject({
      payment: { state: 'refunded' },
    });
    expect((await shop.holds.find(shop.reservationId))!.state).toBe('confirmed');
    expect(await shop.findLooseEnds(shop.eventId)).toEqual([]);
  });

  it('are all refunded when the event is cancelled, and its holds released', async () => {
    const shop = await held();
    await shop.pay(shop.payment);
    const { reservationId } = await shop.hold(shop.eventId, 'bob', 'A-2-1');
    await shop.events.cancelEvent(shop.eventId);
    await shop.keep();
    expect((await shop.payments.find(shop.payment))!.state).toBe('refunded');
    expect((await shop.holds.find(reservationId))!.state).toBe('cancelled');
    expect(await shop.findLooseEnds(shop.eventId)).toEqual([]);
  });

  it('are refunded page by page for a cancelled event, past those still under way', async () => {
    const shop = await held();
    const { eventId } = shop;
    // More than one page, sorted by id; all but the last have a payment without a result yet.
    await sql`
      insert into reservations (id, event_id, visitor, state, amount, currency, hold_ends_at, created_at)
      select ${eventId} || '-' || lpad(i::text, 4, '0'), ${eventId}, 'v' || i, 'held', 1, 'KRW', now() + '1 year', now()
      from generate_series(1, 450) as i`.execute(shop.suite.db);
    await sql`
      insert into payments (order_id, payment_key, reference_id, reservation_id, event_id, visitor, amount, currency, state,
        created_at, updated_at)
      select id, id, id, id, event_id, visitor, 1, 'KRW', 'confirming', now(), now() from reservations
      where event_id = ${eventId} and id < ${`${eventId}-0450`} and id > ${eventId}`.execute(shop.suite.db);
    await shop.events.cancelEvent(eventId);
    const last = () => shop.holds.find(`${eventId}-0450`);
    for (let passes = 0; (await last())!.state === 'held'; passes += 1) {
      expect(passes, 'passes of the keeper').toBeLessThan(10);
      expect(await shop.keep()).toBe('again');
    }
    expect((await last())!.state).toBe('cancelled');
  });
});
