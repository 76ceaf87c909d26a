/** The changes of a reservation in the transaction of its payment. */
import { sql } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';
import type { KeepOutcome, Payable, PayableChanges } from '../payables.ts';

/** The replies of the function keep_hold. */
type KeepReply = KeepOutcome | { outcome: 'not-on-sale' | 'too-early' | 'no-event' };

/** `longestHoldMs`: how long a hold lasts at most, with all its extensions. */
export function createReservationChanges(longestHoldMs: number): PayableChanges {
  return {
    async find(tx: Transaction, id: string) {
      const { rows } = await sql<Payable>`
        select visitor, admission, id as "reservationId", event_id as "eventId", amount, currency, state from reservations
        where id = ${id}`.execute(tx);
      return rows[0];
    },
    async keep(tx, id, { payer, admission = null, now, until }) {
      const { rows } = await sql<{ reply: KeepReply }>`
        select keep_hold(${id}, ${payer}, ${admission}::text, ${now}, ${until}, ${longestHoldMs} * interval '1 millisecond')
          as reply`.execute(tx);
      const { reply } = rows[0]!;
      return isRefusedSale(reply) ? { outcome: 'ended' } : reply;
    },
    async confirm(tx, id, now, payer, wasAsked) {
      const { rows } = await sql<{ ok: boolean }>`
        select confirm_reservation(${id}, ${payer}, ${wasAsked}, ${now}) as ok`.execute(tx);
      return rows[0]!.ok;
    },
    async cancel(tx, id, now) {
      const { rows } = await sql<{ ok: boolean }>`select cancel_reservation(${id}, ${now}) as ok`.execute(tx);
      return rows[0]!.ok;
    },
  };
}

/** An ended hold of an event that is no longer, or not yet, on sale. */
function isRefusedSale(reply: KeepReply): reply is Exclude<KeepReply, KeepOutcome> {
  return reply.outcome === 'not-on-sale' || reply.outcome === 'too-early' || reply.outcome === 'no-event';
}

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
