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

  it('confirm the reservation with the capture, once, and give the buyer’s place to the next', async () => {
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

  it('are refused before any charge when amount, currency, key or payer is another', async () => {
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

  it('after the hold ended take the seats again if they are free', async () => {
    const shop = await held();
    shop.clock.advance(HOLD_MS + 1);
    await shop.keep();
    expect((await shop.holds.find(shop.reservationId))!.state).toBe('expired');
    expect(await shop.pay(shop.payment)).toMatchObject({ payment: { state: 'confirmed' } });
    expect(await shop.findContradictions(shop.eventId)).toEqual([]);
  });

  it('after the hold ended and somebody has a seat of it charge nothing', async () => {
    const shop = await held();
    shop.clock.advance(HOLD_MS + 1);
    await shop.hold(shop.eventId, 'bob', 'A-1-2');
    expect(await shop.pay(shop.payment)).toEqual({ outcome: 'hold-ended' });
    expect(shop.provider.charges.size).toBe(0);
  });

  it('whose capture comes when the seats are somebody else’s are refunded in full', async () => {
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

  it('that are declined let the buyer try again with another order while the hold lasts', async () => {
    const shop = await held();
    shop.provider.behave = async () => 'declined';
    expect(await shop.pay(shop.payment)).toMatchObject({ payment: { state: 'declined' } });
    expect(await shop.pay(shop.payment)).toEqual({ outcome: 'refused', state: 'declined' });
    shop.provider.behave = async () => 'captured';
    const second = await shop.prepare(shop.reservationId, 'ann');
    expect(second.orderId).not.toBe(shop.payment.orderId);
    expect(await shop.pay(second)).toMatchObject({ payment: { state: 'confirmed' } });
  });

  it('that the provider answered to nobody are found out about and confirmed', async () => {
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

  it('that never reached the provider are given up after a while', async () => {
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

  it('are refunded when the reservation is cancelled, once, and free its seats', async () => {
    const shop = await held();
    await shop.pay(shop.payment);
    const cancelled = await shop.cashier.cancel(shop.reservationId);
    expect(cancelled).toMatchObject({ outcome: 'cancelled', refunding: [{ state: 'refunded' }] });
    expect(await shop.cashier.cancel(shop.reservationId)).toEqual({ outcome: 'cancelled', refunding: [] });
    expect(shop.provider.refunds).toHaveLength(1);
    expect(await shop.hold(shop.eventId, 'bob', 'A-1-1')).toMatchObject({ state: 'held' });
    expect(await shop.findContradictions(shop.eventId)).toEqual([]);
  });

  it('whose refund failed are refunded by the keeper', async () => {
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

  it('take a message for what it said first: by its id it counts once, whatever it says later', async () => {
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

  it('of two orders for one reservation end in one confirmation and one refund', async () => {
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

  it('of an event that is cancelled are all refunded, and its holds given up', async () => {
    const shop = await held();
    await shop.pay(shop.payment);
    const { reservationId } = await shop.hold(shop.eventId, 'bob', 'A-2-1');
    await shop.events.cancelEvent(shop.eventId);
    await shop.keep();
    expect((await shop.payments.find(shop.payment))!.state).toBe('refunded');
    expect((await shop.holds.find(reservationId))!.state).toBe('cancelled');
    expect(await shop.findLooseEnds(shop.eventId)).toEqual([]);
  });

  it('of a cancelled event are all refunded however many there are, past those that are still under way', async () => {
    const shop = await held();
    const { eventId } = shop;
    // More than one look finds, in the order of their ids, all but the last with a payment whose end is not known.
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
