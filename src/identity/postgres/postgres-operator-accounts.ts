/** Operator accounts and ended operator sessions in PostgreSQL. */
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { LazyDatabase } from '../../platform/database/lazy-database.ts';
import type { EndedSessions } from '../ended-sessions.ts';
import type { OperatorAccount, OperatorAccounts } from '../operator-accounts.ts';
import { type AccountRoleColumns, toAccountRole } from '../roles/operator-roles.ts';

interface AccountRow extends AccountRoleColumns {
  id: string;
  email: string;
  ended_at: Date | null;
  has_factor: boolean;
}

const MOST_LISTED = 1_000;

const ACCOUNTS = sql`
  select u.id, u.email, u.role, u.operator_role, e.ended_at, f.confirmed_at is not null as has_factor
  from users u
  left join operator_session_ends e on e.user_id = u.id
  left join operator_factors f on f.user_id = u.id`;

export function createOperatorAccounts(database: LazyDatabase): OperatorAccounts {
  return {
    async find(email) {
      const { rows } = await sql<AccountRow>`${ACCOUNTS} where u.email = ${email}`.execute(await database.get());
      return rows[0] && toOperatorAccount(rows[0]);
    },
    async list() {
      const { rows } = await sql<AccountRow>`
        ${ACCOUNTS} where u.role = 'operator' or u.operator_role is not null order by u.email limit ${MOST_LISTED}`.execute(
        await database.get(),
      );
      return rows.map(toOperatorAccount).filter(({ role }) => role !== undefined);
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

function toOperatorAccount({ id, email, ended_at, has_factor, ...columns }: AccountRow): OperatorAccount {
  const sessionsEndedAt = ended_at === null ? 0 : Math.floor(new Date(ended_at).getTime() / 1000);
  return { userId: id, email, role: toAccountRole(columns), sessionsEndedAt, hasFactor: has_factor };
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
