/**
 * Brings the functions of a database up to date. The table `fairline_functions` has the revision and hash of each function that
 * was applied.
 *
 * During a rolling upgrade, processes of two releases start in any order. A function is applied only if its revision is not lower
 * than the stored one, so an older process never replaces a newer function. The hash alone could not tell which text is newer.
 * At an equal revision a different text is applied: that happens only during development, because a test fails when a
 * released text changes without a new revision.
 */
import { sql } from 'kysely';
import type { Transaction } from './database.ts';
import type { SqlFunction } from './schema.ts';

/** The caller has the migration lock. */
export async function applyFunctions(tx: Transaction, functions: readonly SqlFunction[]): Promise<void> {
  await createTable(tx);
  const applied = await listApplied(tx);
  for (const found of functions) {
    if (!isOutdated(applied.get(found.name), found)) continue;
    await sql.raw(found.sql).execute(tx);
    await noteApplied(tx, found);
  }
}

type Applied = Pick<SqlFunction, 'revision' | 'hash'>;

function isOutdated(applied: Applied | undefined, { revision, hash }: SqlFunction): boolean {
  if (applied === undefined || applied.revision < revision) return true;
  return applied.revision === revision && applied.hash !== hash;
}

async function createTable(tx: Transaction): Promise<void> {
  await sql`
    create table if not exists fairline_functions (
      name text primary key,
      revision int not null,
      hash text not null,
      applied_at timestamptz not null default now()
    )`.execute(tx);
}

async function listApplied(tx: Transaction): Promise<Map<string, Applied>> {
  const { rows } = await sql<Applied & { name: string }>`select name, revision, hash from fairline_functions`.execute(
    tx,
  );
  return new Map(rows.map(({ name, ...applied }) => [name, applied]));
}

async function noteApplied(tx: Transaction, { name, revision, hash }: SqlFunction): Promise<void> {
  await sql`
    insert into fairline_functions (name, revision, hash) values (${name}, ${revision}, ${hash})
    on conflict (name) do update set revision = excluded.revision, hash = excluded.hash, applied_at = now()`.execute(
    tx,
  );
}
