/** Second factors in PostgreSQL. */
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { LazyDatabase } from '../../platform/database/lazy-database.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { Confirmation, SecondFactorStore } from '../second-factor-store.ts';

/** Attempts without a wait. */
const FREE_ATTEMPTS = 5;
/** The first wait; it doubles with each further attempt. */
const FIRST_WAIT_SECONDS = 30;
const LONGEST_WAIT_SECONDS = 900;

export class PostgresSecondFactorStore implements SecondFactorStore {
  readonly #database: LazyDatabase;
  readonly #clock: Clock;

  constructor(database: LazyDatabase, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  async find(userId: string) {
    const { rows } = await sql<{ confirmed: boolean; left: number }>`
      select confirmed_at is not null as confirmed,
        (select count(*)::int from operator_recovery_codes c where c.user_id = f.user_id) as left
      from operator_factors f where user_id = ${userId}`.execute(await this.#database.get());
    return rows[0] && { isConfirmed: rows[0].confirmed, recoveryCodesLeft: rows[0].left };
  }

  /** The attempts stay: otherwise beginning again would give new ones. */
  async begin(userId: string, sealedSecret: string) {
    const { rows } = await sql`
      insert into operator_factors (user_id, sealed_secret) values (${userId}, ${sealedSecret})
      on conflict (user_id) do update set sealed_secret = excluded.sealed_secret, last_step = 0
        where operator_factors.confirmed_at is null
      returning 1`.execute(await this.#database.get());
    return rows.length > 0;
  }

  /** One update, so that parallel attempts are counted one after the other. */
  async countAttempt(userId: string, kind: 'confirmed' | 'unconfirmed') {
    const database = await this.#database.get();
    const now = new Date(this.#clock.now());
    const { rows } = await sql<{ sealed_secret: string }>`
      update operator_factors set attempts = attempts + 1,
        locked_until = case when attempts + 1 >= ${FREE_ATTEMPTS}::int then ${now}::timestamptz + make_interval(secs =>
          least(${FIRST_WAIT_SECONDS}::float8 * 2 ^ least(attempts + 1 - ${FREE_ATTEMPTS}::int, 20),
            ${LONGEST_WAIT_SECONDS}::float8)) end
      where user_id = ${userId} and (confirmed_at is not null) = ${kind === 'confirmed'}
        and (locked_until is null or locked_until <= ${now})
      returning sealed_secret`.execute(database);
    if (rows[0] !== undefined) return { outcome: 'counted' as const, sealedSecret: rows[0].sealed_secret };
    const locked = await sql<{ locked_until: Date }>`
      select locked_until from operator_factors where user_id = ${userId} and locked_until > ${now}
        and (confirmed_at is not null) = ${kind === 'confirmed'}`.execute(database);
    if (locked.rows[0] === undefined) return { outcome: 'none' as const };
    return { outcome: 'limited' as const, retryAt: new Date(locked.rows[0].locked_until).getTime() };
  }

  async acceptStep(userId: string, step: number) {
    const { rows } = await sql`
      update operator_factors set last_step = ${step}, attempts = 0, locked_until = null
      where user_id = ${userId} and confirmed_at is not null and last_step < ${step} returning 1`.execute(
      await this.#database.get(),
    );
    return rows.length > 0;
  }

  async useRecoveryCode(userId: string, codeHash: string) {
    return inTransaction(await this.#database.get(), async (tx) => {
      const { rows } = await sql`
        delete from operator_recovery_codes where user_id = ${userId} and code_hash = ${codeHash} returning 1`.execute(
        tx,
      );
      if (rows.length === 0) return false;
      await sql`update operator_factors set attempts = 0, locked_until = null where user_id = ${userId}`.execute(tx);
      return true;
    });
  }

  async confirm(userId: string, { sealedSecret, step, recoveryCodeHashes }: Confirmation) {
    return inTransaction(await this.#database.get(), async (tx) => {
      const { rows } = await sql`
        update operator_factors set confirmed_at = ${new Date(this.#clock.now())}, last_step = ${step}, attempts = 0,
          locked_until = null
        where user_id = ${userId} and confirmed_at is null and sealed_secret = ${sealedSecret} returning 1`.execute(tx);
      if (rows.length === 0) return false;
      await sql`
        insert into operator_recovery_codes (user_id, code_hash)
        select ${userId}, code_hash from unnest(${[...recoveryCodeHashes]}::text[]) as code_hash`.execute(tx);
      return true;
    });
  }

  async remove(userId: string) {
    const { rows } = await sql`delete from operator_factors where user_id = ${userId} returning 1`.execute(
      await this.#database.get(),
    );
    return rows.length > 0;
  }
}
