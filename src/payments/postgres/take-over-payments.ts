/** Moves a guest's payments to the user who signs in. */
import { type RawBuilder, sql } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';

/**
 * The same person can have two orders for one purchase, as guest and as user. An order that was not sent to the provider is
 * cancelled in favour of the other. `busy` if both were sent; then nothing changes.
 */
export async function takeOverPayments(tx: Transaction, guest: string, userId: string): Promise<'done' | 'busy'> {
  await sql`
    select 1 from payments
    where visitor = ${guest} or (visitor = ${userId} and state in ('prepared', 'confirming'))
    order by order_id for update`.execute(tx);
  const busy = await sql`
    select 1 from payments p where p.visitor = ${guest} and p.state = 'confirming'
      and exists (${twinOf(userId, sql`'confirming'`)})`.execute(tx);
  if (busy.rows.length > 0) return 'busy';
  await sql`
    update payments p set state = 'cancelled' where p.visitor = ${userId} and p.state = 'prepared'
      and exists (${twinOf(guest, sql`'confirming'`)})`.execute(tx);
  await sql`
    update payments p set state = 'cancelled' where p.visitor = ${guest} and p.state = 'prepared'
      and exists (${twinOf(userId, sql`'prepared', 'confirming'`)})`.execute(tx);
  await sql`update payments set visitor = ${userId} where visitor = ${guest}`.execute(tx);
  return 'done';
}

/** A payment of `visitor` for the same purchase as `p`. */
function twinOf(visitor: string, states: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select 1 from payments twin
    where twin.visitor = ${visitor} and twin.payment_type = p.payment_type and twin.reference_id = p.reference_id
      and twin.state in (${states})`;
}
