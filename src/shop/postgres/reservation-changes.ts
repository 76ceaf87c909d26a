/** The changes of a reservation in the transaction of its payment. */
import { sql } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';
import type { Payable, PayableChanges } from '../payables.ts';

export const reservationChanges: PayableChanges = {
  async find(tx: Transaction, id: string) {
    const { rows } = await sql<Payable>`
      select visitor, admission, id as "reservationId", event_id as "eventId", amount, currency, state from reservations
      where id = ${id}`.execute(tx);
    return rows[0];
  },
  async keep(tx, id, now, until) {
    const { rows } = await sql<{ kept: boolean }>`select keep_hold(${id}, ${now}, ${until}) as kept`.execute(tx);
    return rows[0]!.kept;
  },
  async confirm(tx, id, now) {
    const { rows } = await sql<{ ok: boolean }>`select confirm_reservation(${id}, ${now}) as ok`.execute(tx);
    return rows[0]!.ok;
  },
  async cancel(tx, id, now) {
    const { rows } = await sql<{ ok: boolean }>`select cancel_reservation(${id}, ${now}) as ok`.execute(tx);
    return rows[0]!.ok;
  },
};

/** Moves a guest's reservations to the user. If both used the same idempotency key, the user's reservation keeps it. */
export async function takeOverReservations(tx: Transaction, guest: string, userId: string): Promise<'done'> {
  await sql`select 1 from reservations where visitor = ${guest} order by id for update`.execute(tx);
  await sql`
    update reservations r set visitor = ${userId}, idempotency_key = case when exists (
      select 1 from reservations o where o.visitor = ${userId} and o.idempotency_key = r.idempotency_key
    ) then null else r.idempotency_key end
    where visitor = ${guest}`.execute(tx);
  return 'done';
}
