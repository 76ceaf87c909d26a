/** Accounts in PostgreSQL. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import {
  type AccountRoleColumns,
  type OperatorRole,
  toAccountRole,
  toRoleColumns,
} from '../../identity/roles/operator-roles.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { LazyDatabase } from '../../platform/database/lazy-database.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { Account, AccountStore, LinkPurpose, NewAccount, NewLink } from '../account-store.ts';

/** Moves what the guest owns in one service's tables to the user. Only the first of them may return `busy`. */
export type TakeOver = (tx: Transaction, guest: string, userId: string) => Promise<'done' | 'busy'>;

export interface PostgresAccountStoreOptions {
  database: LazyDatabase;
  clock: Clock;
  /** In lock order. */
  takeOver: readonly TakeOver[];
}

interface UserRow extends AccountRoleColumns {
  id: string;
  email: string;
  name: string | null;
  password_hash: string;
  email_verified_at: Date | null;
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

  async setRole(email: string, operatorRole: OperatorRole | undefined): Promise<Account | undefined> {
    const { role, operator_role } = toRoleColumns(operatorRole);
    const { rows } = await sql<UserRow>`
      update users set role = ${role}, operator_role = ${operator_role} where email = ${email} returning *`.execute(
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

  async findHash(userId: string): Promise<string | undefined> {
    const { rows } = await sql<UserRow>`select * from users where id = ${userId}`.execute(
      await this.#options.database.get(),
    );
    return rows[0]?.password_hash;
  }

  async setPassword(userId: string, passwordHash: string): Promise<void> {
    await inTransaction(await this.#options.database.get(), async (tx) => {
      await sql`update users set password_hash = ${passwordHash} where id = ${userId}`.execute(tx);
      await sql`delete from account_links where user_id = ${userId} and purpose = 'reset password'`.execute(tx);
    });
  }

  async createLink({ userId, purpose, secretHash, expiresAt, most }: NewLink): Promise<'created' | 'enough'> {
    return inTransaction(await this.#options.database.get(), async (tx) => {
      // The lock makes simultaneous requests count each other.
      await sql`select 1 from users where id = ${userId} for no key update`.execute(tx);
      await sql`delete from account_links where expires_at < ${this.#now()}`.execute(tx);
      const { rows } = await sql`
        insert into account_links (secret_hash, purpose, user_id, expires_at)
        select ${secretHash}, ${purpose}, ${userId}, ${new Date(expiresAt)}
        where (select count(*) from account_links where user_id = ${userId} and purpose = ${purpose}) < ${most}
        returning 1`.execute(tx);
      return rows.length === 1 ? 'created' : 'enough';
    });
  }

  async findByLink(secretHash: string, purpose: LinkPurpose): Promise<Account | undefined> {
    const { rows } = await sql<UserRow>`
      select users.* from account_links join users on users.id = user_id
      where secret_hash = ${secretHash} and purpose = ${purpose} and expires_at >= ${this.#now()}`.execute(
      await this.#options.database.get(),
    );
    return rows[0] && toAccount(rows[0]);
  }

  async resetPassword(secretHash: string, passwordHash: string): Promise<Account | undefined> {
    return inTransaction(await this.#options.database.get(), async (tx) => {
      const userId = await this.#useLink(tx, secretHash, 'reset password');
      if (userId === undefined) return undefined;
      await sql`delete from account_links where user_id = ${userId}`.execute(tx);
      const { rows } = await sql<UserRow>`
        update users set password_hash = ${passwordHash}, email_verified_at = coalesce(email_verified_at, ${this.#now()})
        where id = ${userId} returning *`.execute(tx);
      return rows[0] && toAccount(rows[0]);
    });
  }

  async confirmEmail(secretHash: string): Promise<Account | undefined> {
    return inTransaction(await this.#options.database.get(), async (tx) => {
      const userId = await this.#useLink(tx, secretHash, 'confirm email');
      if (userId === undefined) return undefined;
      const { rows } = await sql<UserRow>`
        update users set email_verified_at = coalesce(email_verified_at, ${this.#now()})
        where id = ${userId} returning *`.execute(tx);
      return rows[0] && toAccount(rows[0]);
    });
  }

  /** Of several simultaneous uses of a link, one gets the user. */
  async #useLink(tx: Transaction, secretHash: string, purpose: LinkPurpose): Promise<string | undefined> {
    const { rows } = await sql<{ user_id: string }>`
      delete from account_links
      where secret_hash = ${secretHash} and purpose = ${purpose} and expires_at >= ${this.#now()}
      returning user_id`.execute(tx);
    return rows[0]?.user_id;
  }

  #now(): Date {
    return new Date(this.#options.clock.now());
  }
}

function toAccount({ id, email, name, email_verified_at, ...columns }: UserRow): Account {
  const operatorRole = toAccountRole(columns);
  return { userId: id, email, name: name ?? undefined, operatorRole, isEmailConfirmed: email_verified_at !== null };
}
