/** A bounded pool of connections to a PostgreSQL server. */
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Database } from './database.ts';
import { DatabaseAwayError, isDatabaseAway, UnusableDatabaseError } from './database-errors.ts';
import { explainDatabaseError } from './explain-database-error.ts';
import { type DatabaseServer, toPoolOptions } from './postgres-options.ts';
import { createPreparingClient } from './prepared-calls.ts';
import { publishStatements } from './statement-events.ts';
import { closeAfterTimeout } from './timed-out-connections.ts';

const OLDEST_VERSION = 150_000;
const CONNECT_TIMEOUT_MS = 3_000;
const STATEMENT_TIMEOUT_MS = 5_000;
/** Shorter than the statement timeout: a buyer who waits for a seat is better served by an early retry. */
const LOCK_TIMEOUT_MS = 3_000;
/** A process that hangs inside a transaction must not keep seats locked. */
const IDLE_TRANSACTION_TIMEOUT_MS = 10_000;

/** `server`: the URL alone, or with how to sign in there. */
export async function connectPostgres(server: string | DatabaseServer, connections: number): Promise<Database> {
  const pool = new pg.Pool({
    ...toPoolOptions(typeof server === 'string' ? { url: server } : server),
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    // The server's timeout ends a statement. This one ends the wait for a server that is gone.
    query_timeout: STATEMENT_TIMEOUT_MS + CONNECT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'fairline',
    Client: closeAfterTimeout(createPreparingClient()),
  });
  // The pool removes an idle connection that breaks; the next statement opens another.
  pool.on('error', () => {});
  // If one breaks between two statements of a transaction, the next statement fails.
  pool.on('connect', (client) => client.on('error', () => {}));
  const database = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }), ...publishStatements() });
  try {
    await requireVersion(database);
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

export async function requireVersion(database: Database): Promise<void> {
  const { version, number } = await readVersion(database);
  if (number >= OLDEST_VERSION) return;
  throw new UnusableDatabaseError(`PostgreSQL 15 or later is needed; DATABASE_URL leads to ${version}`);
}

async function readVersion(database: Database): Promise<{ version: string; number: number }> {
  try {
    const { rows } = await sql<{ version: string; number: number }>`
      select current_setting('server_version') as version, current_setting('server_version_num')::int as number`.execute(
      database,
    );
    return rows[0]!;
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    const advice = explainDatabaseError(error as Error);
    if (advice !== undefined) throw new UnusableDatabaseError(`PostgreSQL cannot be used: ${message}; ${advice}`);
    const kind = isDatabaseAway(error) ? DatabaseAwayError : UnusableDatabaseError;
    // A connection refused on several addresses has no message.
    throw new kind(`PostgreSQL cannot be used: ${message || code}`);
  }
}
