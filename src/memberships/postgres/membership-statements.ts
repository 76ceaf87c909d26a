/** SQL statements on memberships: one function each. */
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import type { Membership, MembershipState } from '../membership-store.ts';

interface MembershipRow {
  id: string;
  user_id: string;
  state: MembershipState;
  amount: number;
  currency: string;
  created_at: Date;
  starts_at: Date | null;
  ends_at: Date | null;
}

const MOST_LISTED = 100;

export interface NewMembership {
  id: string;
  userId: string;
  amount: number;
  currency: string;
  now: Date;
}

/** Does nothing if the user has an unpaid membership. */
export async function insertPending(db: Executor, { id, userId, amount, currency, now }: NewMembership): Promise<void> {
  await sql`
    insert into memberships (id, user_id, state, amount, currency, created_at)
    values (${id}, ${userId}, 'pending', ${amount}, ${currency}, ${now}) on conflict do nothing`.execute(db);
}

export async function findPending(db: Executor, userId: string): Promise<Membership | undefined> {
  const { rows } = await sql<MembershipRow>`
    select * from memberships where user_id = ${userId} and state = 'pending'`.execute(db);
  return rows[0] && toMembership(rows[0]);
}

export async function findMembership(db: Executor, id: string): Promise<Membership | undefined> {
  const { rows } = await sql<MembershipRow>`select * from memberships where id = ${id}`.execute(db);
  return rows[0] && toMembership(rows[0]);
}

export async function listOf(db: Executor, userId: string): Promise<Membership[]> {
  const { rows } = await sql<MembershipRow>`
    select * from memberships where user_id = ${userId} order by created_at desc, id limit ${MOST_LISTED}`.execute(db);
  return rows.map(toMembership);
}

/** The users with an active membership. */
export async function findMembers(db: Executor, userIds: readonly string[], now: Date): Promise<Set<string>> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from memberships
    where user_id = any(${[...userIds]}::text[]) and state = 'active' and starts_at <= ${now} and ends_at > ${now}
  `.execute(db);
  return new Set(rows.map((row) => row.user_id));
}

/** False if it was not in the state `from`. */
export async function move(db: Executor, id: string, from: MembershipState, to: MembershipState): Promise<boolean> {
  const { rows } = await sql`
    update memberships set state = ${to} where id = ${id} and state = ${from} returning id`.execute(db);
  return rows.length > 0;
}

/** Starts now, or when the user's current membership ends. undefined if it was not paid. */
export async function activate(db: Executor, id: string, now: Date, days: number): Promise<Membership | undefined> {
  const { rows } = await sql<MembershipRow>`
    update memberships m set state = 'active', starts_at = begin_at.at, ends_at = begin_at.at + make_interval(days => ${days})
    from (
      select greatest(${now}::timestamptz, max(other.ends_at)) as at
      from memberships mine left join memberships other on other.user_id = mine.user_id and other.state = 'active'
      where mine.id = ${id}
    ) as begin_at
    where m.id = ${id} and m.state = 'paid' returning m.*`.execute(db);
  return rows[0] && toMembership(rows[0]);
}

function toMembership(row: MembershipRow): Membership {
  return {
    membershipId: row.id,
    userId: row.user_id,
    state: row.state,
    amount: row.amount,
    currency: row.currency,
    createdAt: row.created_at.getTime(),
    startsAt: row.starts_at?.getTime(),
    endsAt: row.ends_at?.getTime(),
  };
}
