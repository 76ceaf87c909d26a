/**
 * Forward-only migrations, each applied once. Several processes may start at the same time: the one that gets the lock
 * migrates, the others wait and find it done. All missing migrations are one transaction, so a failed start leaves no
 * partial change.
 */
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { Database, Transaction } from './database.ts';
import { inTransaction } from './transaction.ts';

export interface Migration {
  /** Must not change once released, and neither must the SQL. */
  name: string;
  sql: string;
}

/** An arbitrary advisory lock that nothing else uses. */
const LOCK = 4_711_001;
/** The other processes wait for the first one, so this is longer than the usual timeouts. */
const WAIT = '60s';

export function readMigration(file: URL): Migration {
  const name = file.pathname.slice(file.pathname.lastIndexOf('/') + 1).replace(/\.sql$/, '');
  return { name, sql: readFileSync(file, 'utf8') };
}

export async function migrate(database: Database, migrations: readonly Migration[]): Promise<void> {
  await inTransaction(database, async (tx) => {
    await sql.raw(`set local lock_timeout = '${WAIT}'; set local statement_timeout = '${WAIT}'`).execute(tx);
    await sql`select pg_advisory_xact_lock(${LOCK}::bigint)`.execute(tx);
    await createMigrationsTable(tx);
    const applied = await listApplied(tx);
    for (const migration of migrations) {
      if (applied.has(migration.name)) continue;
      await sql.raw(migration.sql).execute(tx);
      await sql`insert into fairline_migrations (name) values (${migration.name})`.execute(tx);
    }
  });
}

async function createMigrationsTable(tx: Transaction): Promise<void> {
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
