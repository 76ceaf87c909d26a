/** A bounded pool of connections to a PostgreSQL server. */
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database } from './database.ts';
import { UnusableDatabaseError } from './database-errors.ts';
import { createPreparingClient } from './prepared-calls.ts';
import { publishStatements } from './statement-events.ts';

const OLDEST_VERSION = 150_000;
const CONNECT_TIMEOUT_MS = 3_000;
const STATEMENT_TIMEOUT_MS = 5_000;
/** Shorter than the statement timeout: a buyer who waits for a seat is better served by an early retry. */
const LOCK_TIMEOUT_MS = 3_000;
/** A process that hangs inside a transaction must not keep seats locked. */
const IDLE_TRANSACTION_TIMEOUT_MS = 10_000;

export async function connectPostgres(url: string, connections: number): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    // The server's timeout ends a statement. This one ends the wait for a server that is gone.
    query_timeout: STATEMENT_TIMEOUT_MS + CONNECT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'fairline',
    Client: createPreparingClient(),
  });
  // The pool removes an idle connection that breaks; the next statement opens another.
  pool.on('error', () => {});
  // If one breaks between two statements of a transaction, the next statement fails.
  pool.on('connect', (client) => client.on('error', () => {}));
  await requireVersion(pool);
  return new Kysely<unknown>({ dialect: new PostgresDialect({ pool }), ...publishStatements() });
}

async function requireVersion(pool: pg.Pool): Promise<void> {
  try {
    const { rows } = await pool.query<{ version: string; number: number }>(
      `select current_setting('server_version') as version, current_setting('server_version_num')::int as number`,
    );
    if (rows[0]!.number >= OLDEST_VERSION) return;
    throw new UnusableDatabaseError(`PostgreSQL 15 or later is needed; DATABASE_URL leads to ${rows[0]!.version}`);
  } catch (error) {
    await pool.end();
    if (error instanceof UnusableDatabaseError) throw error;
    throw new UnusableDatabaseError(`PostgreSQL cannot be used: ${(error as Error).message}`);
  }
}
