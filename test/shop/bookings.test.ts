/** Buyers, booking codes, one ticket per person, and holds that are prolonged. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createPostgresBookingStore } from '../../src/shop/postgres/postgres-booking-store.ts';
import { describeWithPostgres } from '../support/postgres-server.ts';
import { type Buyer, type ShopApp, shareShopDatabase } from './shop-app.ts';

const MINA = { name: 'Mina Kim', email: 'mina@example.org', phone: '010-1234-5678' };
const DAY_MS = 86_400_000;

async function hold(app: ShopApp, ask: Buyer, seatIds: string[]): Promise<string> {
  const held = await ask('POST', '/api/seats/reserve', { eventId: app.eventId, seatIds });
  return held.json().reservationId;
}

async function pay(ask: Buyer, reservationId: string): Promise<void> {
  const { orderId, paymentKey, amount } = (await ask('POST', '/api/payments/prepare', { reservationId })).json();
  const paid = await ask('POST', '/api/payments/confirm', { orderId, paymentKey, amount });
  expect(paid.json().status).toBe('confirmed');
}

describeWithPostgres('a booking', () => {
  const { createShopApp } = shareShopDatabase();

  it('has a buyer whom only its owner and operators see', async () => {
    const app = await createShopApp();
    const [ann, bob] = [await app.buyer('ann'), await app.buyer('bob')];
    const reservationId = await hold(app, ann, ['A-1-1']);
    const path = `/api/reservations/${reservationId}`;
    expect((await bob('PUT', `${path}/buyer`, MINA)).statusCode).toBe(404);
    const stored = await ann('PUT', `${path}/buyer`, { ...MINA, name: ' Mina Kim ', email: 'Mina@Example.ORG' });
    expect(stored.json()).toEqual(MINA);
    await pay(ann, reservationId);
    const { buyer, bookingCode } = (await ann('GET', path)).json();
    expect(buyer).toEqual(MINA);
    expect((await ann('GET', '/api/reservations/my')).body).not.toContain('mina@');
    expect((await bob('GET', `/api/admin/bookings/${bookingCode}`)).statusCode).toBe(401);
    const seen = await app.operator('GET', `/api/admin/bookings/${bookingCode.toLowerCase()}`);
    expect(seen.json()).toMatchObject({ reservationId, buyer: MINA, status: 'confirmed' });
    expect(seen.json().ticket).toBeUndefined();
    const { rows } = await sql<{ text: string }>`select value::text as text from outbox`.execute(
      await app.context.shop!.database.get(),
    );
    expect(JSON.stringify(rows)).not.toMatch(/Mina|mina@|1234-5678/);
  });

  it.each([
    { ...MINA, email: 'mina' },
    { ...MINA, name: '  ' },
    { ...MINA, name: 'a\nb' },
    { ...MINA, phone: 'call me' },
    { ...MINA, more: 1 },
  ])('refuses %j as a buyer, without repeating it', async (body) => {
    const app = await createShopApp();
    const ann = await app.buyer('ann');
    const reservationId = await hold(app, ann, ['A-1-1']);
    const refused = await ann('PUT', `/api/reservations/${reservationId}/buyer`, body);
    expect(refused.statusCode).toBe(400);
    expect(refused.json().error.message).not.toContain('call me');
  });

  it('keeps the buyer of a cancelled reservation for the documented time only', async () => {
    const app = await createShopApp({ BUYER_DATA_DAYS: '2' });
    const ann = await app.buyer('ann');
    const { bookings } = app.context.shop!;
    const [ended, lasting] = [await hold(app, ann, ['A-1-1']), await hold(app, ann, ['A-1-2'])];
    for (const id of [ended, lasting]) await ann('PUT', `/api/reservations/${id}/buyer`, MINA);
    await pay(ann, lasting);
    await ann('POST', `/api/reservations/${ended}/cancel`);
    expect((await ann('PUT', `/api/reservations/${ended}/buyer`, MINA)).json().error.code).toBe('HOLD_ENDED');
    app.clock.advance(2 * DAY_MS - 1_000);
    await app.context.shop!.keep();
    expect(await bookings.findBuyer(ended)).toEqual(MINA);
    app.clock.advance(3_600_000);
    await app.context.shop!.keep();
    expect(await bookings.findBuyer(ended)).toBeUndefined();
    expect(await bookings.findBuyer(lasting)).toEqual(MINA);
  });

  it('has one code, also if it is asked for at once, and another if the first is taken', async () => {
    const app = await createShopApp();
    const ann = await app.buyer('ann');
    const [one, two] = [await hold(app, ann, ['A-1-1']), await hold(app, ann, ['A-1-2'])];
    for (const id of [one, two]) await pay(ann, id);
    const { bookings, database } = app.context.shop!;
    expect(new Set(await Promise.all([1, 2, 3].map(() => bookings.codeOf(one)))).size).toBe(1);
    const first = await bookings.codeOf(one);
    const codes = [first, first, 'FL-AAAA-22'];
    const store = createPostgresBookingStore({
      database,
      clock: app.clock,
      buyerKeptMs: 0,
      createCode: () => codes.shift()!,
    });
    expect(await store.codeOf(two)).toBe('FL-AAAA-22');
  });

  it('has one code per person, next to the code of all', async () => {
    const app = await createShopApp();
    const ann = await app.buyer('ann');
    const reservationId = await hold(app, ann, ['A-1-1', 'A-1-2']);
    await pay(ann, reservationId);
    const { ticket } = (await ann('GET', `/api/reservations/${reservationId}`)).json();
    const { tickets } = app.context.shop!;
    expect(ticket.entries.map(({ seat }: { seat: { seatId: string } }) => seat.seatId)).toEqual(['A-1-1', 'A-1-2']);
    expect(ticket.entries.map(({ code }: { code: string }) => tickets.read(code))).toEqual([
      { reservationId, ticketNo: 0, entry: 1 },
      { reservationId, ticketNo: 0, entry: 2 },
    ]);
    expect(tickets.read(ticket.code)).toEqual({ reservationId, ticketNo: 0 });
  });

  it('is prolonged once, within the longest time of a hold', async () => {
    const app = await createShopApp({ HOLD_SECONDS: '100', HOLD_EXTENSION_SECONDS: '300' });
    const [ann, bob] = [await app.buyer('ann'), await app.buyer('bob')];
    const reservationId = await hold(app, ann, ['A-1-1']);
    const path = `/api/reservations/${reservationId}`;
    expect((await ann('GET', path)).json()).toMatchObject({ canExtend: true, remainingSeconds: 100 });
    app.clock.advance(60_000);
    expect((await bob('POST', `${path}/extend`)).statusCode).toBe(404);
    const extended = (await ann('POST', `${path}/extend`)).json();
    expect(extended).toMatchObject({ canExtend: false, remainingSeconds: 160 });
    expect((await ann('POST', `${path}/extend`)).json()).toEqual(extended);
    app.clock.advance(60_000);
    // The seat is held as long as the reservation.
    const taken = await bob('POST', '/api/seats/reserve', { eventId: app.eventId, seatIds: ['A-1-1'] });
    expect(taken.json().error.code).toBe('SEATS_TAKEN');
    app.clock.advance(101_000);
    expect((await ann('POST', `${path}/extend`)).json().error.code).toBe('HOLD_ENDED');
  });

  it('is not prolonged beyond HOLD_EXTENSION_SECONDS', async () => {
    const app = await createShopApp({ HOLD_SECONDS: '100', HOLD_EXTENSION_SECONDS: '60' });
    const ann = await app.buyer('ann');
    const path = `/api/reservations/${await hold(app, ann, ['A-1-1'])}`;
    expect((await ann('POST', `${path}/extend`)).json().remainingSeconds).toBe(160);
  });

  it('says until when it can be cancelled for a refund', async () => {
    const app = await createShopApp({ REFUND_UNTIL_HOURS: '48' });
    const ann = await app.buyer('ann');
    const { refundUntil } = (await ann('GET', `/api/reservations/${await hold(app, ann, ['A-1-1'])}`)).json();
    expect(refundUntil).toBe('2026-05-30T10:00:00.000Z');
  });
});
