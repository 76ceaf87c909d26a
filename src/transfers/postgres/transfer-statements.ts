/** SQL statements on transfers: one function each. */
import { sql } from 'kysely';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import type { Item } from '../../shop/hold-store.ts';
import type { Transfer, TransferState } from '../transfer-store.ts';

interface TransferRow {
  id: string;
  reservation_id: string;
  event_id: string;
  items: Item[];
  seller: string;
  buyer: string | null;
  reserved_until: Date | null;
  price: number;
  currency: string;
  state: TransferState;
  created_at: Date;
  completed_at: Date | null;
}

const MOST_LISTED = 200;
const COLUMNS = sql`t.*, reservation_row(t.reservation_id)->'items' as items`;

export interface Listable {
  visitor: string;
  eventId: string;
  amount: number;
  currency: string;
  items: Item[];
  isTransferable: boolean;
}

/** Locks and returns the reservation. */
export async function lockListable(db: Executor, reservationId: string, now: Date): Promise<Listable | undefined> {
  const { rows } = await sql<Listable>`
    select r.visitor, r.event_id as "eventId", r.amount, r.currency,
      reservation_row(r.id)->'items' as items,
      r.state = 'confirmed' and e.state = 'open' and e.starts_at > ${now} as "isTransferable"
    from reservations r join events e on e.id = r.event_id where r.id = ${reservationId} for update of r`.execute(db);
  return rows[0];
}

export async function insertTransfer(db: Executor, transfer: Transfer): Promise<void> {
  const { transferId, reservationId, eventId, seller, price, currency, createdAt } = transfer;
  await sql`
    insert into transfers (id, reservation_id, event_id, seller, price, currency, state, created_at)
    values (${transferId}, ${reservationId}, ${eventId}, ${seller}, ${price}, ${currency}, 'listed', ${new Date(createdAt)})
  `.execute(db);
}

export async function findTransfer(db: Executor, transferId: string): Promise<Transfer | undefined> {
  const { rows } = await sql<TransferRow>`select ${COLUMNS} from transfers t where id = ${transferId}`.execute(db);
  return rows[0] && toTransfer(rows[0]);
}

export async function findLive(db: Executor, reservationId: string): Promise<Transfer | undefined> {
  const { rows } = await sql<TransferRow>`
    select ${COLUMNS} from transfers t where reservation_id = ${reservationId} and state in ('listed', 'paid')`.execute(
    db,
  );
  return rows[0] && toTransfer(rows[0]);
}

export async function listOpen(db: Executor, eventId: string | undefined, now: Date): Promise<Transfer[]> {
  const ofEvent = eventId === undefined ? sql`` : sql`event_id = ${eventId} and`;
  const { rows } = await sql<TransferRow>`
    select ${COLUMNS} from transfers t where ${ofEvent} state = 'listed'
      and (reserved_until is null or reserved_until <= ${now})
    order by created_at desc, id limit ${MOST_LISTED}`.execute(db);
  return rows.map(toTransfer);
}

export async function listOf(db: Executor, visitor: string): Promise<Transfer[]> {
  const { rows } = await sql<TransferRow>`
    select ${COLUMNS} from transfers t where seller = ${visitor} or (buyer = ${visitor} and state in ('paid', 'completed'))
    order by created_at desc, id limit ${MOST_LISTED}`.execute(db);
  return rows.map(toTransfer);
}

/** `reserved`: a buyer is paying. */
export async function lockState(
  db: Executor,
  transferId: string,
  now: Date,
): Promise<TransferState | 'reserved' | undefined> {
  const { rows } = await sql<{ state: TransferState | 'reserved' }>`
    select case when state = 'listed' and reserved_until > ${now} then 'reserved' else state end as state
    from transfers where id = ${transferId} for update`.execute(db);
  return rows[0]?.state;
}

export async function setState(db: Executor, transferId: string, state: TransferState): Promise<void> {
  await sql`
    update transfers set state = ${state}, reserved_until = null,
      buyer = case when ${state} in ('listed', 'cancelled') then null else buyer end
    where id = ${transferId}`.execute(db);
}

export async function takeOverTransfers(tx: Transaction, guest: string, userId: string): Promise<'done'> {
  await sql`select 1 from transfers where seller = ${guest} or buyer = ${guest} order by id for update`.execute(tx);
  await sql`
    update transfers set seller = case when seller = ${guest} then ${userId} else seller end,
      buyer = case when buyer = ${guest} then ${userId} else buyer end
    where seller = ${guest} or buyer = ${guest}`.execute(tx);
  await sql`update seller_credits set seller = ${userId} where seller = ${guest}`.execute(tx);
  return 'done';
}

function toTransfer(row: TransferRow): Transfer {
  return {
    transferId: row.id,
    reservationId: row.reservation_id,
    eventId: row.event_id,
    items: row.items,
    seller: row.seller,
    buyer: row.state === 'listed' ? undefined : (row.buyer ?? undefined),
    price: row.price,
    currency: row.currency,
    state: row.state,
    createdAt: row.created_at.getTime(),
    completedAt: row.completed_at?.getTime(),
  };
}
