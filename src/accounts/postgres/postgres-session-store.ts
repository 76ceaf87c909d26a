/** Sessions of users in PostgreSQL. */
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { LazyDatabase } from '../../platform/database/lazy-database.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { SessionStore, UserSession } from '../session-store.ts';

export interface PostgresSessionStoreOptions {
  database: LazyDatabase;
  clock: Clock;
}

interface SessionRow {
  id: string;
  user_id: string;
  browser: string;
  address: string;
  signed_in_at: Date;
  last_seen_at: Date;
  expires_at: Date;
}

/** More than an owner can look through. All of them can still be ended at once. */
const LISTED = 100;
/** A sign of life is written at most this often. */
const SEEN_EVERY_MS = 60_000;

export class PostgresSessionStore implements SessionStore {
  readonly #options: PostgresSessionStoreOptions;

  constructor(options: PostgresSessionStoreOptions) {
    this.#options = options;
  }

  async begin({ sessionId, userId, browser, address, signedInAt, lastSeenAt, expiresAt }: UserSession): Promise<void> {
    const database = await this.#options.database.get();
    await sql`delete from user_sessions where expires_at < ${this.#now()}`.execute(database);
    await sql`
      insert into user_sessions (id, user_id, browser, address, signed_in_at, last_seen_at, expires_at)
      values (${sessionId}, ${userId}, ${browser}, ${address}, ${new Date(signedInAt)}, ${new Date(lastSeenAt)},
        ${new Date(expiresAt)})
      on conflict do nothing`.execute(database);
  }

  async find(sessionId: string): Promise<UserSession | undefined> {
    const { rows } = await sql<SessionRow>`
      select * from user_sessions where id = ${sessionId} and expires_at >= ${this.#now()}`.execute(
      await this.#options.database.get(),
    );
    return rows[0] && toSession(rows[0]);
  }

  async list(userId: string): Promise<UserSession[]> {
    const { rows } = await sql<SessionRow>`
      select * from user_sessions where user_id = ${userId} and expires_at >= ${this.#now()}
      order by last_seen_at desc, id limit ${LISTED}`.execute(await this.#options.database.get());
    return rows.map(toSession);
  }

  async see(sessionId: string): Promise<void> {
    const now = this.#now();
    await sql`
      update user_sessions set last_seen_at = ${now}
      where id = ${sessionId} and last_seen_at < ${new Date(now.getTime() - SEEN_EVERY_MS)}`.execute(
      await this.#options.database.get(),
    );
  }

  async end(sessionId: string, expiresAt: number): Promise<void> {
    await inTransaction(await this.#options.database.get(), async (tx) => {
      await sql`delete from ended_sessions where expires_at < ${this.#now()}`.execute(tx);
      await sql`delete from user_sessions where id = ${sessionId}`.execute(tx);
      await sql`
        insert into ended_sessions (id, expires_at) values (${sessionId}, ${new Date(expiresAt)})
        on conflict do nothing`.execute(tx);
    });
  }

  async endAllOf(userId: string, except: string | undefined, expiresAt: number): Promise<string[]> {
    return inTransaction(await this.#options.database.get(), async (tx) => {
      const { rows } = await sql<{ id: string }>`
        with gone as (
          delete from user_sessions where user_id = ${userId} and id <> ${except ?? ''} returning id, expires_at
        )
        insert into ended_sessions (id, expires_at) select id, expires_at from gone
        on conflict (id) do update set ended_at = now() returning id`.execute(tx);
      await sql`
        insert into ended_sessions (id, expires_at) values (${userMark(userId)}, ${new Date(expiresAt)})
        on conflict (id) do update set expires_at = excluded.expires_at, ended_at = now()`.execute(tx);
      return rows.map(({ id }) => id);
    });
  }

  async listEnded(which: 'all' | 'latest'): Promise<string[]> {
    const isLatest = which === 'latest' ? sql`ended_at > now() - interval '1 minute'` : sql`true`;
    const { rows } = await sql<{ id: string }>`
      select id from ended_sessions where expires_at >= ${this.#now()} and ${isLatest}`.execute(
      await this.#options.database.poll(),
    );
    return rows.map(({ id }) => id);
  }

  #now(): Date {
    return new Date(this.#options.clock.now());
  }
}

const userMark = (userId: string) => `user:${userId}`;

function toSession(row: SessionRow): UserSession {
  return {
    sessionId: row.id,
    userId: row.user_id,
    browser: row.browser,
    address: row.address,
    signedInAt: row.signed_in_at.getTime(),
    lastSeenAt: row.last_seen_at.getTime(),
    expiresAt: row.expires_at.getTime(),
  };
}
