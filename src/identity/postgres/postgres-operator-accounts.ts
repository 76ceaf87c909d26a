/** Operator accounts and ended operator sessions in PostgreSQL. */
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { LazyDatabase } from '../../platform/database/lazy-database.ts';
import type { EndedSessions } from '../ended-sessions.ts';
import type { OperatorAccounts } from '../operator-accounts.ts';

interface AccountRow {
  id: string;
  email: string;
  role: string;
  ended_at: Date | null;
  has_factor: boolean;
}

export function createOperatorAccounts(database: LazyDatabase): OperatorAccounts {
  return {
    async find(email) {
      const { rows } = await sql<AccountRow>`
        select u.id, u.email, u.role, e.ended_at, f.confirmed_at is not null as has_factor
        from users u
        left join operator_session_ends e on e.user_id = u.id
        left join operator_factors f on f.user_id = u.id
        where u.email = ${email}`.execute(await database.get());
      return rows[0] && toOperatorAccount(rows[0]);
    },
    // A session that began right after the last end started a second later than that.
    async endSessions(email, at) {
      await sql`
        insert into operator_session_ends (user_id, ended_at)
        select id, ${new Date(at * 1000)}::timestamptz from users where email = ${email}
        on conflict (user_id) do update
          set ended_at = greatest(operator_session_ends.ended_at + interval '1 second', excluded.ended_at)`.execute(
        await database.get(),
      );
    },
  };
}

function toOperatorAccount({ id, email, role, ended_at, has_factor }: AccountRow) {
  const sessionsEndedAt = ended_at === null ? 0 : Math.floor(new Date(ended_at).getTime() / 1000);
  return { userId: id, email, isOperator: role === 'operator', sessionsEndedAt, hasFactor: has_factor };
}

export function createPostgresEndedSessions(database: LazyDatabase, clock: Clock): EndedSessions {
  return {
    async end(sessionId, expiresAt) {
      const db = await database.get();
      await sql`delete from ended_operator_sessions where expires_at < ${new Date(clock.now())}`.execute(db);
      await sql`
        insert into ended_operator_sessions (id, expires_at) values (${sessionId}, ${new Date(expiresAt * 1000)})
        on conflict do nothing`.execute(db);
    },
    async hasEnded(sessionId) {
      const { rows } = await sql`select 1 from ended_operator_sessions where id = ${sessionId}`.execute(
        await database.get(),
      );
      return rows.length > 0;
    },
    // The database belongs to the shop.
    async close() {},
  };
}
