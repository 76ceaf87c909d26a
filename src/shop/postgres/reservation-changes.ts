/** The steps of a reservation that belong to the transaction of its payment. */
import { sql } from 'kysely';
import type { Payable, PayableChanges } from '../../payments/payables.ts';
import type { Transaction } from '../../platform/database/database.ts';

export const reservationChanges: PayableChanges = {
  async find(tx: Transaction, id: string) {
    const { rows } = await sql<Payable>`
      select visitor, id as "reservationId", event_id as "eventId", amount, currency, state from reservations
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
