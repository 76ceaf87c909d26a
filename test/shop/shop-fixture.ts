/** The stores of the shop on a suite's database, and events on sale. */
import { sql } from 'kysely';
import type { Reservation } from '../../src/shop/hold-store.ts';
import { PostgresEventStore } from '../../src/shop/postgres/postgres-event-store.ts';
import { PostgresHoldStore } from '../../src/shop/postgres/postgres-hold-store.ts';
import type { Section, Standing } from '../../src/shop/rules/layout.ts';
import type { SuiteDatabase } from '../support/databases.ts';
import { createTestClock } from '../support/test-clock.ts';

export const HOLD_MS = 300_000;
export const PRESALE_HOURS = 24;

let count = 0;

/** A name that is unique in this file. */
export function unique(word: string): string {
  count += 1;
  return `${word}-${count}`;
}

export function createShop(suite: SuiteDatabase) {
  const clock = createTestClock();
  const database = suite.lazy;
  const events = new PostgresEventStore({
    database,
    clock,
    defaults: { currency: 'KRW', maxPerPerson: 4, timeZone: 'Asia/Seoul' },
    presaleHours: PRESALE_HOURS,
  });
  const holds = new PostgresHoldStore({ database, clock, holdMs: HOLD_MS });

  /** An event on sale: by default one section of 5 rows of 10 seats, and 20 standing tickets. */
  async function createEvent(options: CreateEventOptions = {}): Promise<string> {
    const eventId = unique('event');
    const { sections = [{ id: 'A', name: 'Front', rows: 5, seatsPerRow: 10, price: 50_000 }], maxPerPerson = 4 } =
      options;
    const { onSaleAt = null, salesEndAt = null, startsAt = '2026-06-01T10:00:00Z' } = options;
    const { standing = [{ id: 'floor', name: 'Floor', quantity: 20, price: 30_000 }] } = options;
    await events.putLayout(eventId, { name: 'Hall', sections, standing });
    await events.putEvent(eventId, { title: 'Concert', startsAt, onSaleAt, salesEndAt, maxPerPerson });
    await events.generateSeats(eventId, eventId);
    await events.openEvent(eventId);
    return eventId;
  }

  async function hold(eventId: string, visitor: string, ...ids: string[]): Promise<Reservation> {
    const outcome = await holds.holdSeats({ eventId, visitor, seats: { ids } });
    if (!('reservation' in outcome)) throw new Error(`could not hold: ${JSON.stringify(outcome)}`);
    return outcome.reservation;
  }

  /** Violations of the invariants of an event's seats. */
  async function findContradictions(eventId: string): Promise<unknown[]> {
    const { rows } = await sql`
      select 'seat without its item' as problem, s.id from seats s
      where s.event_id = ${eventId} and s.state <> 'free' and not exists (
        select 1 from reservation_items i where i.event_id = s.event_id and i.seat_id = s.id and i.live
          and i.reservation_id = s.reservation_id)
      union all
      select 'item without its seat', i.seat_id from reservation_items i
      where i.event_id = ${eventId} and i.seat_id is not null and i.live and not exists (
        select 1 from seats s where s.event_id = i.event_id and s.id = i.seat_id and s.reservation_id = i.reservation_id)
      union all
      select 'confirmed without all it paid for', r.id from reservations r
      where r.event_id = ${eventId} and r.state = 'confirmed' and exists (
        select 1 from reservation_items i where i.reservation_id = r.id and not i.live)
      union all
      select 'sold to somebody who has not paid', s.id from seats s join reservations r on r.id = s.reservation_id
      where s.event_id = ${eventId} and (s.state = 'sold') <> (r.state = 'confirmed')
      union all
      select 'over and yet alive', r.id from reservations r join reservation_items i on i.reservation_id = r.id and i.live
      where r.event_id = ${eventId} and r.state in ('expired', 'cancelled')
      union all
      select 'wrong count of ' || t.name, t.id from ticket_types t
      where t.event_id = ${eventId} and t.remaining <> t.total - (
        select coalesce(sum(i.quantity), 0) from reservation_items i where i.event_id = t.event_id and i.type_id = t.id and i.live)
    `.execute(suite.db);
    return rows;
  }
  return { clock, events, holds, createEvent, hold, findContradictions };
}

export interface CreateEventOptions {
  sections?: Section[];
  standing?: Standing[];
  maxPerPerson?: number;
  onSaleAt?: string | null;
  startsAt?: string;
  salesEndAt?: string | null;
}

export type Shop = ReturnType<typeof createShop>;
