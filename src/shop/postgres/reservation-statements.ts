/** Reading reservations. */
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import type { Item, Reservation, ReservationState } from '../hold-store.ts';

interface ReservationRow {
  id: string;
  event_id: string;
  visitor: string;
  state: ReservationState;
  amount: number;
  currency: string;
  hold_ends_at: Date;
  created_at: Date;
  confirmed_at: Date | null;
  ticket_no: number;
  items: Item[];
}

const MOST_LISTED = 200;

const columns = sql<ReservationRow>`
  r.id, r.event_id, r.visitor, r.state, r.amount, r.currency, r.hold_ends_at, r.created_at, r.confirmed_at, r.ticket_no,
  (select json_agg(case when item.seat_id is null
     then json_build_object('typeId', item.type_id, 'name', t.name, 'quantity', item.quantity, 'price', item.price)
     else json_build_object('seatId', item.seat_id, 'section', s.section, 'row', s.row_no, 'number', s.seat_no, 'price', item.price)
     end order by item.item_no)
   from reservation_items item
     left join seats s on s.event_id = item.event_id and s.id = item.seat_id
     left join ticket_types t on t.event_id = item.event_id and t.id = item.type_id
   where item.reservation_id = r.id) as items`;

export async function findReservation(db: Executor, id: string, now: number): Promise<Reservation | undefined> {
  const { rows } = await sql<ReservationRow>`select ${columns} from reservations r where r.id = ${id}`.execute(db);
  return rows[0] && toReservation(rows[0], now);
}

export async function listReservations(db: Executor, visitor: string, now: number): Promise<Reservation[]> {
  const { rows } = await sql<ReservationRow>`
    select ${columns} from reservations r where r.visitor = ${visitor}
    order by r.created_at desc, r.id limit ${MOST_LISTED}`.execute(db);
  return rows.map((row) => toReservation(row, now));
}

export async function listUnderCancelledEvents(db: Executor): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select r.id from events e join reservations r on r.event_id = e.id
    where e.state = 'cancelled' and r.state in ('held', 'confirmed') order by r.id limit ${MOST_LISTED}`.execute(db);
  return rows.map(({ id }) => id);
}

function toReservation(row: ReservationRow, now: number): Reservation {
  const holdEndsAt = row.hold_ends_at.getTime();
  return {
    reservationId: row.id,
    eventId: row.event_id,
    visitor: row.visitor,
    state: row.state === 'held' && holdEndsAt <= now ? 'expired' : row.state,
    amount: row.amount,
    currency: row.currency,
    items: row.items,
    createdAt: row.created_at.getTime(),
    holdEndsAt,
    confirmedAt: row.confirmed_at?.getTime(),
    ticketNo: row.ticket_no,
  };
}
