/** The ledger of the sandbox provider, in its own tables. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { LazyDatabase } from '../../platform/database/lazy-database.ts';
import type { ChargeState } from '../provider.ts';
import type { SandboxCall, SandboxLedger } from '../sandbox/sandbox-provider.ts';

export function createSandboxLedger(database: LazyDatabase, clock: Clock): SandboxLedger {
  const inMs = (ms: number) => new Date(clock.now() + ms);

  async function find(orderId: string): Promise<ChargeState> {
    const { rows } = await sql<{ state: ChargeState }>`
      select case when state = 'pending' and captures_at <= ${inMs(0)} then 'captured' else state end as state
      from sandbox_charges where order_id = ${orderId}`.execute(await database.get());
    return rows[0]?.state ?? 'none';
  }

  return {
    find,
    async enter({ orderId, amount, currency }, state, capturesInMs) {
      const capturesAt = state === 'pending' ? inMs(capturesInMs) : null;
      await sql`
        insert into sandbox_charges (order_id, amount, currency, state, captures_at, created_at)
        values (${orderId}, ${amount}, ${currency}, ${state}, ${capturesAt}, ${inMs(0)})
        on conflict do nothing`.execute(await database.get());
      return find(orderId);
    },
    async refund(orderId) {
      await sql`
        update sandbox_charges set state = 'refunded' where order_id = ${orderId} and state in ('captured', 'pending')
      `.execute(await database.get());
    },
    async announce(orderId, type, times, ms) {
      const id = `m_${randomBytes(9).toString('base64url')}`;
      await sql`
        insert into sandbox_calls (id, attempt, order_id, type, due_at)
        select ${id}, attempt, ${orderId}, ${type}, ${inMs(ms)} from generate_series(1, ${times}::int) as attempt
      `.execute(await database.get());
    },
    async takeCalls() {
      const { rows } = await sql<SandboxCall>`
        with due as (delete from sandbox_calls where due_at <= ${inMs(0)} returning id, order_id, type)
        select due.id, due.type, due.order_id as "orderId", charge.amount, charge.currency
        from due join sandbox_charges charge using (order_id)`.execute(await database.poll());
      return rows;
    },
    async hasCalls() {
      const { rows } = await sql`select from sandbox_calls limit 1`.execute(await database.poll());
      return rows.length > 0;
    },
  };
}
