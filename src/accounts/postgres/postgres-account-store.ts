/** Accounts in PostgreSQL. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { LazyDatabase } from '../../platform/database/lazy-database.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { Account, AccountStore, NewAccount, Role } from '../account-store.ts';

/** Moves what the guest owns in one service's tables to the user. Only the first of them may return `busy`. */
export type TakeOver = (tx: Transaction, guest: string, userId: string) => Promise<'done' | 'busy'>;

export interface PostgresAccountStoreOptions {
  database: LazyDatabase;
  clock: Clock;
  /** In lock order. */
  takeOver: readonly TakeOver[];
}

interface UserRow {
  id: string;
  email: string;
  name: string | null;
  password_hash: string;
  role: Role;
}

export class PostgresAccountStore implements AccountStore {
  readonly #options: PostgresAccountStoreOptions;

  constructor(options: PostgresAccountStoreOptions) {
    this.#options = options;
  }

  async create({ email, name, passwordHash }: NewAccount) {
    const userId = `u_${randomBytes(12).toString('base64url')}`;
    const { rows } = await sql<UserRow>`
      insert into users (id, email, name, password_hash, created_at)
      values (${userId}, ${email}, ${name ?? null}, ${passwordHash}, ${this.#now()})
      on conflict (email) do nothing returning *`.execute(await this.#options.database.get());
    if (rows[0] === undefined) return { outcome: 'taken' as const };
    return { outcome: 'created' as const, account: toAccount(rows[0]) };
  }

  async findToSignIn(email: string) {
    const { rows } = await sql<UserRow>`select * from users where email = ${email}`.execute(
      await this.#options.database.get(),
    );
    return rows[0] && { ...toAccount(rows[0]), passwordHash: rows[0].password_hash };
  }

  async find(userId: string): Promise<Account | undefined> {
    const { rows } = await sql<UserRow>`select * from users where id = ${userId}`.execute(
      await this.#options.database.get(),
    );
    return rows[0] && toAccount(rows[0]);
  }

  async setRole(email: string, role: Role): Promise<Account | undefined> {
    const { rows } = await sql<UserRow>`update users set role = ${role} where email = ${email} returning *`.execute(
      await this.#options.database.get(),
    );
    return rows[0] && toAccount(rows[0]);
  }

  async takeOver(guest: string, userId: string): Promise<'done' | 'busy'> {
    return inTransaction(await this.#options.database.get(), async (tx) => {
      for (const takeOver of this.#options.takeOver) {
        if ((await takeOver(tx, guest, userId)) === 'busy') return 'busy';
      }
      return 'done';
    });
  }

  async endSession(sessionId: string, expiresAt: number): Promise<void> {
    const database = await this.#options.database.get();
    await sql`delete from ended_sessions where expires_at < ${this.#now()}`.execute(database);
    await sql`
      insert into ended_sessions (id, expires_at) values (${sessionId}, ${new Date(expiresAt)})
      on conflict do nothing`.execute(database);
  }

  async listEndedSessions(): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select id from ended_sessions where expires_at >= ${this.#now()}`.execute(await this.#options.database.get());
    return rows.map(({ id }) => id);
  }

  #now(): Date {
    return new Date(this.#options.clock.now());
  }
}

function toAccount({ id, email, name, role }: UserRow): Account {
  return { userId: id, email, name: name ?? undefined, role };
}
