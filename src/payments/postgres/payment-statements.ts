/** SQL statements on payments: one function each. */
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import type { PaymentType } from '../../records/record.ts';
import type { Payment } from '../payment-store.ts';
import type { PaymentState } from '../transitions.ts';

interface PaymentRow {
  order_id: string;
  payment_key: string;
  payment_type: PaymentType;
  reference_id: string;
  reservation_id: string | null;
  event_id: string | null;
  visitor: string;
  admission: string | null;
  amount: number;
  currency: string;
  state: PaymentState;
  method: string | null;
  is_released: boolean;
  created_at: Date;
  asked_at: Date | null;
  confirmed_no: string | null;
}

const MOST_LISTED = 200;
const MOST_DUE = 50;

export async function insertPayment(db: Executor, payment: NewPayment, now: Date): Promise<void> {
  const { orderId, paymentKey, paymentType, referenceId, reservationId, eventId } = payment;
  const { visitor, admission, amount, currency } = payment;
  await sql`
    insert into payments (order_id, payment_key, payment_type, reference_id, reservation_id, event_id, visitor, admission,
      amount, currency, state, created_at, updated_at)
    values (${orderId}, ${paymentKey}, ${paymentType}, ${referenceId}, ${reservationId}, ${eventId}, ${visitor},
      ${admission}, ${amount}, ${currency}, 'prepared', ${now}, ${now})`.execute(db);
}

export type NewPayment = Pick<
  Payment,
  | 'orderId'
  | 'paymentKey'
  | 'paymentType'
  | 'referenceId'
  | 'reservationId'
  | 'eventId'
  | 'visitor'
  | 'amount'
  | 'currency'
> & { admission: string | null };

export async function findUnderWay(
  db: Executor,
  { paymentType, referenceId, visitor }: Pick<Payment, 'paymentType' | 'referenceId' | 'visitor'>,
): Promise<Payment | undefined> {
  const { rows } = await sql<PaymentRow>`
    select * from payments where payment_type = ${paymentType} and reference_id = ${referenceId} and visitor = ${visitor}
      and state in ('prepared', 'confirming')`.execute(db);
  return rows[0] && toPayment(rows[0]);
}

export async function findByOrder(db: Executor, orderId: string): Promise<Payment | undefined> {
  const { rows } = await sql<PaymentRow>`select * from payments where order_id = ${orderId}`.execute(db);
  return rows[0] && toPayment(rows[0]);
}

export async function findByKey(db: Executor, paymentKey: string): Promise<Payment | undefined> {
  const { rows } = await sql<PaymentRow>`select * from payments where payment_key = ${paymentKey}`.execute(db);
  return rows[0] && toPayment(rows[0]);
}

export async function lockPayment(db: Executor, orderId: string): Promise<Payment | undefined> {
  const { rows } = await sql<PaymentRow>`select * from payments where order_id = ${orderId} for update`.execute(db);
  return rows[0] && toPayment(rows[0]);
}

/** Sorted, so that two transactions cannot deadlock. */
export async function lockPaymentsOf(db: Executor, reservationId: string): Promise<Payment[]> {
  const { rows } = await sql<PaymentRow>`
    select * from payments where reservation_id = ${reservationId} order by order_id for update`.execute(db);
  return rows.map(toPayment);
}

export async function setState(db: Executor, orderId: string, state: PaymentState, lookAt: Date | null, now: Date) {
  await sql`
    update payments set state = ${state}, look_at = ${lookAt}, updated_at = ${now},
      confirmed_no = coalesce(confirmed_no, case when ${state} = 'confirmed' then nextval('payment_confirmations') end)
    where order_id = ${orderId}`.execute(db);
}

export async function setAsked(
  db: Executor,
  orderId: string,
  { method, admission, now }: { method: string; admission: string | null; now: Date },
): Promise<void> {
  await sql`
    update payments set method = ${method}, asked_at = ${now}, admission = coalesce(${admission}, admission)
    where order_id = ${orderId}`.execute(db);
}

export async function setReleased(db: Executor, orderId: string): Promise<void> {
  await sql`
    update payments set is_released = true, look_at = case when state = 'confirmed' then null else look_at end
    where order_id = ${orderId}`.execute(db);
}

/** False if the message was already processed. */
export async function noteMessage(db: Executor, id: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into payment_messages (id, received_at) values (${id}, ${now}) on conflict do nothing returning id
  `.execute(db);
  return rows.length > 0;
}

export async function listPayments(db: Executor, visitor: string): Promise<Payment[]> {
  const { rows } = await sql<PaymentRow>`
    select * from payments where visitor = ${visitor} order by created_at desc, order_id limit ${MOST_LISTED}`.execute(
    db,
  );
  return rows.map(toPayment);
}

/** Each payment goes to one caller; it is due again at `until`. */
export async function takeDue(db: Executor, now: Date, until: Date): Promise<Payment[]> {
  const { rows } = await sql<PaymentRow>`
    update payments set look_at = ${until} where order_id in (
      select order_id from payments where look_at <= ${now} order by look_at limit ${MOST_DUE} for update skip locked
    ) returning *`.execute(db);
  return rows.map(toPayment);
}

/** Now or later. */
export async function hasDue(db: Executor): Promise<boolean> {
  const { rows } = await sql`select from payments where look_at is not null limit 1`.execute(db);
  return rows.length > 0;
}

function toPayment(row: PaymentRow): Payment {
  return {
    orderId: row.order_id,
    paymentKey: row.payment_key,
    paymentType: row.payment_type,
    referenceId: row.reference_id,
    reservationId: row.reservation_id,
    eventId: row.event_id,
    visitor: row.visitor,
    admission: row.admission ?? undefined,
    amount: row.amount,
    currency: row.currency,
    state: row.state,
    method: row.method ?? undefined,
    isReleased: row.is_released,
    createdAt: row.created_at.getTime(),
    askedAt: row.asked_at?.getTime(),
    confirmedNo: row.confirmed_no === null ? undefined : Number(row.confirmed_no),
  };
}
