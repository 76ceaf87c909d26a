/**
 * Creates the tables and functions that a database lacks. Migrations go forward only, each is applied once. Several processes may
 * start at once: one gets the lock and migrates, the others wait and find nothing to do. Everything is one transaction, so a
 * failed start leaves nothing half done.
 */
import { sql } from 'kysely';
import { applyFunctions } from './apply-functions.ts';
import type { Database, Transaction } from './database.ts';
import type { Migration, Schema } from './schema.ts';
import { inTransaction } from './transaction.ts';

/** An arbitrary number that nothing else locks. */
const LOCK = 4_711_001;
/** Longer than the timeouts of the pool: a process that starts waits for the one that migrates. */
const TIMEOUT = '60s';

export async function migrate(database: Database, { migrations, functions }: Schema): Promise<void> {
  await inTransaction(database, async (tx) => {
    await sql.raw(`set local lock_timeout = '${TIMEOUT}'; set local statement_timeout = '${TIMEOUT}'`).execute(tx);
    await sql`select pg_advisory_xact_lock(${LOCK}::bigint)`.execute(tx);
    await applyMigrations(tx, migrations);
    await applyFunctions(tx, functions);
  });
}

async function applyMigrations(tx: Transaction, migrations: readonly Migration[]): Promise<void> {
  await createTable(tx);
  const applied = await listApplied(tx);
  for (const migration of migrations) {
    if (applied.has(migration.name)) continue;
    if (migration.sql !== '') await sql.raw(migration.sql).execute(tx);
    await sql`insert into fairline_migrations (name) values (${migration.name})`.execute(tx);
  }
}

async function createTable(tx: Transaction): Promise<void> {
  await sql`
    create table if not exists fairline_migrations (
      name text primary key,
      applied_at timestamptz not null default now()
    )`.execute(tx);
}

async function listApplied(tx: Transaction): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`select name from fairline_migrations`.execute(tx);
  return new Set(rows.map(({ name }) => name));
}
