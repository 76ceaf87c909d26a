import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { databaseSchema } from '../../src/compose/database-schema.ts';
import { describeOnEachDatabase, type SuiteDatabase } from '../support/databases.ts';
import { createShop, HOLD_MS, PRESALE_HOURS, unique } from './shop-fixture.ts';

describeOnEachDatabase('the hold store', databaseSchema, (suite) => {
  it('holds seats for the configured time, with their price', async () => {
    const shop = createShop(suite);
    const eventId = await shop.createEvent();
    const outcome = await shop.holds.holdSeats({ eventId, visitor: 'ann', seats: { ids: ['A-2-4', 'A-2-3'] } });
    expect(outcome).toMatchObject({
      outcome: 'held',
      reservation: { state: 'held', amount: 100_000, currency: 'KRW', holdEndsAt: shop.clock.now() + HOLD_MS },
    });
    expect((await shop.events.findEvent(eventId))!.seats).toEqual({ total: 50, remaining: 48 });
    expect(await shop.findContradictions(eventId)).toEqual([]);
  });

  it('holds only for members during the presale, and for nobody before it', async () => {
    const shop = createShop(suite);
    const [member, other] = [unique('member'), unique('other')];
    const now = shop.clock.now();
    const at = (hours: number) => new Date(now + hours * 3_600_000);
    await sql`
      insert into memberships (id, user_id, state, amount, currency, created_at, starts_at, ends_at)
      values (${unique('m')}, ${member}, 'active', 0, 'KRW', ${at(0)}, ${at(0)}, ${at(1_000)})`.execute(suite.db);
    const eventId = await shop.createEvent({ onSaleAt: at(PRESALE_HOURS + 1).toISOString() });
    expect(await shop.events.findEvent(eventId)).toMatchObject({ membersFrom: at(1).toISOString() });
    const tooEarly = { outcome: 'too-early', onSaleAt: '2026-01-02T01:00:00Z', membersFrom: '2026-01-01T01:00:00Z' };
    const outcomes = async (seat: number) => {
      const holdSeat = await shop.holds.holdSeats({ eventId, visitor: other, seats: { ids: [`A-1-${seat}`] } });
      const tickets = [{ typeId: 'floor', quantity: 1 }];
      const holdTicket = await shop.holds.holdTickets({ eventId, visitor: other, tickets });
      const membersHold = await shop.holds.holdSeats({ eventId, visitor: member, seats: { ids: [`A-2-${seat}`] } });
      return [holdSeat, holdTicket, membersHold];
    };
    expect(await outcomes(1)).toEqual([tooEarly, tooEarly, tooEarly]);
    shop.clock.advance(3_600_000);
    expect(await outcomes(2)).toMatchObject([tooEarly, tooEarly, { outcome: 'held' }]);
    shop.clock.advance(PRESALE_HOURS * 3_600_000);
    expect((await outcomes(3)).map(({ outcome }) => outcome)).toEqual(['held', 'held', 'held']);
  });

  it('appends a record for each hold of seats or standing tickets, and none for a refusal', async () => {
    const shop = createShop(suite);
    const eventId = await shop.createEvent();
    const { reservationId: seats } = await shop.hold(eventId, 'ann', 'A-1-1', 'A-1-2');
    const key = { eventId, visitor: 'bob', idempotencyKey: unique('key') };
    const tickets = { ...key, tickets: [{ typeId: 'floor', quantity: 3 }] };
    const [made, again] = [await shop.holds.holdTickets(tickets), await shop.holds.holdTickets(tickets)];
    expect([made.outcome, again.outcome]).toEqual(['held', 'repeated']);
    await shop.holds.holdSeats({ eventId, visitor: 'eve', seats: { ids: ['A-1-1'] } });
    const { rows } = await sql<{ key: string; value: string }>`
      select key, value from outbox where value::json->'payload'->>'eventId' = ${eventId} order by id`.execute(
      suite.db,
    );
    const standing = (made as { reservation: { reservationId: string } }).reservation.reservationId;
    expect(rows.map(({ key, value }) => ({ ...JSON.parse(value), key }))).toEqual([
      toRecord(seats, { eventId, userId: 'ann', amount: 100_000, tickets: 2 }),
      toRecord(standing, { eventId, userId: 'bob', amount: 90_000, tickets: 3 }),
    ]);
  });

  it('holds with plpgsql functions, which keep their plans, and never with SQL functions', async () => {
    const shop = createShop(suite);
    const eventId = await shop.createEvent({ startsAt: '2100-01-01T00:00:00Z' });
    const called = await suite.db.transaction().execute(async (tx) => {
      await sql`set local track_functions = 'all'`.execute(tx);
      // The second hold counts what ann has.
      for (const seat of ['A-1-1', 'A-1-2']) {
        await sql`
          select hold_seats(${unique('r')}, ${eventId}, 'ann', null, array[${seat}], 1, null, null, null, now(),
            now() + '5 min', 'record', 0, null)`.execute(tx);
      }
      const { rows } = await sql<{ name: string; language: string }>`
        select p.proname as name, l.lanname as language from pg_stat_xact_user_functions f
          join pg_proc p on p.oid = f.funcid join pg_language l on l.oid = p.prolang order by name`.execute(tx);
      return rows;
    });
    expect(called).toEqual(['hold_seats', 'refuse_hold', 'tickets_of'].map((name) => ({ name, language: 'plpgsql' })));
  });

  it('refuses all seats if one is taken, and names it', async () => {
    const shop = createShop(suite);
    const eventId = await shop.createEvent();
    await shop.hold(eventId, 'ann', 'A-1-2');
    const outcome = await shop.holds.holdSeats({
      eventId,
      visitor: 'bob',
      seats: { ids: ['A-1-1', 'A-1-2', 'A-1-3'] },
    });
    expect(outcome).toEqual({ outcome: 'taken', seats: ['A-1-2'] });
    expect((await shop.events.findEvent(eventId))!.seats.remaining).toBe(49);
  });

  it('refuses seats of another event and seats that do not exist', async () => {
    const shop = createShop(suite);
    const eventId = await shop.createEvent();
    await shop.createEvent({ sections: [{ id: 'Z', name: 'Other', rows: 1, seatsPerRow: 1, price: 1 }] });
    const outcome = await shop.holds.holdSeats({
      eventId,
      visitor: 'ann',
      seats: { ids: ['A-1-1', 'Z-1-1', 'A-9-9'] },
    });
    expect(outcome).toEqual({ outcome: 'unknown', seats: ['Z-1-1', 'A-9-9'] });
  });

  it('returns the same hold for the same idempotency key, and refuses the key for other seats', async () => {
    const shop = createShop(suite);
    const eventId = await shop.createEvent();
    const visitor = unique('ann');
    const request = { eventId, visitor, idempotencyKey: 'k1', seats: { ids: ['A-1-1'] } };
    const first = await shop.holds.holdSeats(request);
    const again = await shop.holds.holdSeats(request);
    expect(again).toEqual({ ...first, outcome: 'repeated' });
    const other = await shop.holds.holdSeats({ ...request, seats: { ids: ['A-1-2'] } });
    expect(other).toEqual({ outcome: 'key-reused' });
    const elsewhere = await shop.holds.holdSeats({ ...request, eventId: await shop.createEvent() });
    expect(elsewhere).toEqual({ outcome: 'key-reused' });
    expect((await shop.events.findEvent(eventId))!.seats.remaining).toBe(49);
  });

  it('makes one hold from simultaneous copies of a request', async () => {
    const shop = createShop(suite);
    const eventId = await shop.createEvent();
    const request = { eventId, visitor: unique('ann'), idempotencyKey: 'k1', seats: { ids: ['A-1-1', 'A-1-2'] } };
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => shop.holds.holdSeats(request)));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['held', ...new Array(7).fill('repeated')]);
    expect(new Set(outcomes.map((o) => 'reservation' in o && o.reservation.reservationId)).size).toBe(1);
  });

  it('enforces the ticket limit across simultaneous requests', async () => {
    const shop = createShop(suite);
    const eventId = await shop.createEvent();
    const ask = (n: number) => shop.holds.holdSeats({ eventId, visitor: 'ann', seats: { ids: [`A-3-${n}`] } });
    const outcomes = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(ask));
    expect(outcomes.filter(({ outcome }) => outcome === 'held')).toHaveLength(4);
    expect(outcomes.find(({ outcome }) => outcome !== 'held')).toEqual({ outcome: 'over-limit', limit: 4, have: 4 });
    const standing = await shop.holds.holdTickets({
      eventId,
      visitor: 'ann',
      tickets: [{ typeId: 'floor', quantity: 1 }],
    });
    expect(standing).toMatchObject({ outcome: 'over-limit' });
    shop.clock.advance(HOLD_MS);
    expect(await ask(9)).toMatchObject({ outcome: 'held' });
  });

  it.each([
    { asked: 'a seat', seats: ['A-1-1'] },
    { asked: 'several seats', seats: ['A-1-1', 'A-1-2', 'A-1-3'] },
  ])('gives $asked whose hold has ended to the next request, before a sweep', async ({ seats }) => {
    const remaining = 50 - seats.length;
    const shop = createShop(suite);
    const eventId = await shop.createEvent();
    const late = await shop.hold(eventId, 'ann', 'A-1-1', 'A-1-2');
    shop.clock.advance(HOLD_MS - 1);
    expect(await shop.holds.holdSeats({ eventId, visitor: 'bob', seats: { ids: seats } })).toMatchObject({
      outcome: 'taken',
    });
    shop.clock.advance(1);
    expect(await shop.hold(eventId, 'bob', ...seats)).toMatchObject({ state: 'held' });
    expect((await shop.holds.find(late.reservationId))!.state).toBe('expired');
    expect((await shop.events.findEvent(eventId))!.seats.remaining).toBe(remaining);
    await shop.holds.freeEnded();
    expect(await shop.findContradictions(eventId)).toEqual([]);
    expect((await shop.events.findEvent(eventId))!.seats.remaining).toBe(remaining);
  });

  it('expires holds that have ended, and no others', async () => {
    await freeAll(suite);
    const shop = createShop(suite);
    const eventId = await shop.createEvent();
    await shop.hold(eventId, 'ann', 'A-1-1', 'A-1-2');
    await shop.holds.holdTickets({ eventId, visitor: 'cid', tickets: [{ typeId: 'floor', quantity: 3 }] });
    shop.clock.advance(HOLD_MS - 1);
    await shop.hold(eventId, 'bob', 'A-1-3');
    expect(await shop.holds.freeEnded()).toBe(0);
    shop.clock.advance(1);
    expect(await shop.holds.freeEnded()).toBe(2);
    expect((await shop.events.findEvent(eventId))!).toMatchObject({
      seats: { remaining: 49 },
      standing: [{ remaining: 20 }],
    });
    expect(await shop.findContradictions(eventId)).toEqual([]);
  });

  it('releases a hold on request, once', async () => {
    const shop = createShop(suite);
    const eventId = await shop.createEvent();
    const { reservationId } = await shop.hold(eventId, 'ann', 'A-1-1');
    expect(await shop.holds.release(reservationId)).toBe('released');
    expect(await shop.holds.release(reservationId)).toBe('not-held');
    expect(await shop.hold(eventId, 'bob', 'A-1-1')).toMatchObject({ state: 'held' });
    expect(await shop.findContradictions(eventId)).toEqual([]);
  });

  it('chooses adjacent seats near the front and the middle, and skips taken ones', async () => {
    const shop = createShop(suite);
    const eventId = await shop.createEvent();
    const best = async (count: number, section?: string) => {
      const outcome = await shop.holds.holdSeats({ eventId, visitor: unique('v'), seats: { best: count, section } });
      return 'reservation' in outcome
        ? outcome.reservation.items.map((item) => 'seatId' in item && item.seatId)
        : outcome;
    };
    expect(await best(2)).toEqual(['A-1-5', 'A-1-6']);
    expect(await best(3, 'A')).toEqual(['A-1-2', 'A-1-3', 'A-1-4']);
    expect(await best(4)).toEqual(['A-1-7', 'A-1-8', 'A-1-9', 'A-1-10']);
    expect(await best(2)).toEqual(['A-2-5', 'A-2-6']);
    expect(await best(1)).toEqual(['A-1-1']);
    expect(await best(2, 'B')).toEqual({ outcome: 'none-together' });
  });

  it('finds seats for all simultaneous requests for the best, while there are any', async () => {
    const shop = createShop(suite);
    const eventId = await shop.createEvent();
    const outcomes = await Promise.all(
      Array.from({ length: 25 }, (_, i) => shop.holds.holdSeats({ eventId, visitor: `v${i}`, seats: { best: 2 } })),
    );
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(new Array(25).fill('held'));
    expect((await shop.events.findEvent(eventId))!.seats.remaining).toBe(0);
    expect(await shop.findContradictions(eventId)).toEqual([]);
  });

  describe('of standing tickets', () => {
    it('never holds more standing tickets than there are', async () => {
      const shop = createShop(suite);
      const eventId = await shop.createEvent();
      const ask = (i: number) =>
        shop.holds.holdTickets({ eventId, visitor: `v${i}`, tickets: [{ typeId: 'floor', quantity: 3 }] });
      const outcomes = await Promise.all(Array.from({ length: 10 }, (_, i) => ask(i)));
      expect(outcomes.filter(({ outcome }) => outcome === 'held')).toHaveLength(6);
      expect(outcomes.filter(({ outcome }) => outcome === 'sold-out')).toHaveLength(4);
      expect((await shop.events.findEvent(eventId))!.standing[0]!.remaining).toBe(2);
      shop.clock.advance(HOLD_MS);
      expect(await ask(11)).toMatchObject({ outcome: 'held', reservation: { amount: 90_000 } });
      expect(await shop.findContradictions(eventId)).toEqual([]);
    });

    it('refuses ticket types of another event', async () => {
      const shop = createShop(suite);
      const eventId = await shop.createEvent();
      const outcome = await shop.holds.holdTickets({
        eventId,
        visitor: 'ann',
        tickets: [
          { typeId: 'floor', quantity: 1 },
          { typeId: 'moon', quantity: 1 },
        ],
      });
      expect(outcome).toEqual({ outcome: 'unknown', types: ['moon'] });
    });
  });

  it('refuses holds for drafts and cancelled events', async () => {
    const shop = createShop(suite);
    const eventId = await shop.createEvent();
    await shop.events.putEvent(`${eventId}-draft`, { title: 'Later', startsAt: '2026-06-01T10:00:00Z' });
    const ask = (id: string) => shop.holds.holdSeats({ eventId: id, visitor: 'ann', seats: { ids: ['A-1-1'] } });
    expect(await ask(`${eventId}-draft`)).toEqual({ outcome: 'no-event' });
    expect(await ask('nowhere')).toEqual({ outcome: 'no-event' });
    await shop.events.cancelEvent(eventId);
    expect(await ask(eventId)).toEqual({ outcome: 'not-on-sale', because: 'cancelled' });
  });

  it('refuses holds from the start of the event on, or from the end of the sale that the operator has set', async () => {
    const shop = createShop(suite);
    const now = shop.clock.now();
    const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString();
    const begins = await shop.createEvent({ startsAt: at(2) });
    const endsEarly = await shop.createEvent({ startsAt: at(5), salesEndAt: at(1) });
    const endsLate = await shop.createEvent({ startsAt: at(1), salesEndAt: at(3) });
    const ask = async (eventId: string, seat: number) => {
      const seats = { ids: [`A-1-${seat}`] };
      const held = await shop.holds.holdSeats({ eventId, visitor: unique('ann'), seats });
      const tickets = [{ typeId: 'floor', quantity: 1 }];
      const standing = await shop.holds.holdTickets({ eventId, visitor: unique('bob'), tickets });
      expect(standing.outcome).toBe(held.outcome);
      return held.outcome === 'not-on-sale' ? held.because : held.outcome;
    };
    const all = async (seat: number) => Promise.all([begins, endsEarly, endsLate].map((id) => ask(id, seat)));
    expect(await all(1)).toEqual(['held', 'held', 'held']);
    shop.clock.advance(3_600_000);
    expect(await all(2)).toEqual(['held', 'ended', 'held']);
    shop.clock.advance(3_600_000);
    expect(await all(3)).toEqual(['ended', 'ended', 'held']);
    shop.clock.advance(3_600_000);
    expect(await all(4)).toEqual(['ended', 'ended', 'ended']);
  });

  it('keeps a live hold for its payment after the sale has ended, but takes no ended hold again', async () => {
    const shop = createShop(suite);
    const startsAt = new Date(shop.clock.now() + HOLD_MS / 2).toISOString();
    const eventId = await shop.createEvent({ startsAt });
    const [live, late] = [await shop.hold(eventId, 'ann', 'A-1-1'), await shop.hold(eventId, 'bob', 'A-1-2')];
    const keep = async (reservationId: string, payer: string) => {
      const [now, until] = [0, HOLD_MS].map((ms) => new Date(shop.clock.now() + ms));
      const { rows } = await sql<{ reply: { outcome: string; because?: string } }>`
        select keep_hold(${reservationId}, ${payer}, 'admission', ${now}, ${until}, interval '1 hour') as reply`.execute(
        suite.db,
      );
      return rows[0]!.reply;
    };
    shop.clock.advance(HOLD_MS - 1_000);
    expect(await keep(live.reservationId, 'ann')).toMatchObject({ outcome: 'kept' });
    shop.clock.advance(2_000);
    expect(await keep(late.reservationId, 'bob')).toEqual({ outcome: 'not-on-sale', because: 'ended' });
    expect(await shop.findContradictions(eventId)).toEqual([]);
  });

  it('refuses a second live owner of a seat by a unique index', async () => {
    const shop = createShop(suite);
    const eventId = await shop.createEvent();
    const { reservationId } = await shop.hold(eventId, 'ann', 'A-1-1');
    const second = sql`
      insert into reservation_items (reservation_id, item_no, event_id, seat_id, quantity, price, live)
      values (${reservationId}, 2, ${eventId}, 'A-1-1', 1, 0, true)`;
    await expect(second.execute(suite.db)).rejects.toThrow('one_owner_per_seat');
  });
});

/** Frees the holds that other tests left in the database. */
async function freeAll(suite: SuiteDatabase): Promise<void> {
  const later = createShop(suite);
  later.clock.advance(100 * HOLD_MS);
  while ((await later.holds.freeEnded()) > 0);
}

function toRecord(reservationId: string, payload: object) {
  return {
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    type: 'RESERVATION_CREATED',
    key: reservationId,
    sagaId: `RESERVATION_CREATED:${reservationId}`,
    occurredAt: '2026-01-01T00:00:00.000Z',
    payload: { reservationId, currency: 'KRW', ...payload },
  };
}
