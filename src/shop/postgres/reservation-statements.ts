/** SQL statements that read reservations. */
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import type { Item, Reservation, ReservationState } from '../hold-store.ts';

/** As returned by the function reservation_row; times are text in JSON. */
export interface ReservationRow {
  id: string;
  event_id: string;
  visitor: string;
  state: ReservationState;
  amount: number;
  currency: string;
  hold_ends_at: string;
  created_at: string;
  confirmed_at: string | null;
  ticket_no: number;
  items: Item[];
}

/** Columns that the functions of a hold do not return: a new hold has neither. */
interface LaterColumns {
  booking_code: string | null;
  extended_at: Date | null;
}

const MOST_LISTED = 200;

export async function findReservation(db: Executor, id: string, now: number): Promise<Reservation | undefined> {
  const { rows } = await sql<{ row: ReservationRow } & LaterColumns>`
    select reservation_row(r.id) as row, r.booking_code, r.extended_at from reservations r where r.id = ${id}`.execute(
    db,
  );
  return rows[0] && toReservation(rows[0].row, now, rows[0]);
}

export async function listReservations(db: Executor, visitor: string, now: number): Promise<Reservation[]> {
  const { rows } = await sql<{ row: ReservationRow } & LaterColumns>`
    select reservation_row(r.id) as row, r.booking_code, r.extended_at from reservations r where r.visitor = ${visitor}
    order by r.created_at desc, r.id limit ${MOST_LISTED}`.execute(db);
  return rows.map(({ row, ...later }) => toReservation(row, now, later));
}

export async function listUnderCancelledEvents(db: Executor, after: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select r.id from events e join reservations r on r.event_id = e.id
    where e.state = 'cancelled' and r.state in ('held', 'confirmed') and r.id > ${after} order by r.id limit ${MOST_LISTED}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

export function toReservation(row: ReservationRow, now: number, later?: LaterColumns): Reservation {
  const holdEndsAt = Date.parse(row.hold_ends_at);
  return {
    reservationId: row.id,
    eventId: row.event_id,
    visitor: row.visitor,
    state: row.state === 'held' && holdEndsAt <= now ? 'expired' : row.state,
    amount: row.amount,
    currency: row.currency,
    items: row.items,
    createdAt: Date.parse(row.created_at),
    holdEndsAt,
    confirmedAt: row.confirmed_at === null ? undefined : Date.parse(row.confirmed_at),
    ticketNo: row.ticket_no,
    isExtended: (later?.extended_at ?? null) !== null,
    bookingCode: later?.booking_code ?? undefined,
  };
}
