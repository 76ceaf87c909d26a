/**
 * Migrations go forward only, each once. Several processes may start at once: whoever has the lock migrates, the others
 * wait and find it done. All that are missing are one transaction, so a start that fails leaves nothing half made.
 */
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { Database, Transaction } from './database.ts';
import { inTransaction } from './transaction.ts';

export interface Migration {
  /** Never changes, as the migration itself never does once it was released. */
  name: string;
  sql: string;
}

/** Any number that nothing else locks. */
const LOCK = 4_711_001;
/** The others wait for the first, longer than for anything else. */
const WAIT = '60s';

export function readMigration(file: URL): Migration {
  const name = file.pathname.slice(file.pathname.lastIndexOf('/') + 1).replace(/\.sql$/, '');
  return { name, sql: readFileSync(file, 'utf8') };
}

export async function migrate(database: Database, migrations: readonly Migration[]): Promise<void> {
  await inTransaction(database, async (tx) => {
    await sql.raw(`set local lock_timeout = '${WAIT}'; set local statement_timeout = '${WAIT}'`).execute(tx);
    await sql`select pg_advisory_xact_lock(${LOCK}::bigint)`.execute(tx);
    await createTrail(tx);
    const done = await listDone(tx);
    for (const migration of migrations) {
      if (done.has(migration.name)) continue;
      await sql.raw(migration.sql).execute(tx);
      await sql`insert into fairline_migrations (name) values (${migration.name})`.execute(tx);
    }
  });
}

async function createTrail(tx: Transaction): Promise<void> {
  await sql`
    create table if not exists fairline_migrations (
      name text primary key,
      applied_at timestamptz not null default now()
    )`.execute(tx);
}

async function listDone(tx: Transaction): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`select name from fairline_migrations`.execute(tx);
  return new Set(rows.map(({ name }) => name));
}
