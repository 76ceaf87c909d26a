/** Whether PostgreSQL is fit for the shop, and its tables are those of this version. */
import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';
import type { DatabaseAddress } from '../platform/database/lazy-database.ts';
import { type Check, ok, problem, warning } from './check.ts';
import { checkClock } from './check-clock.ts';

/** `migrations`: the names of those that this version has. */
export async function checkDatabase(address: DatabaseAddress, migrations: readonly string[]): Promise<Check[]> {
  if (!('url' in address)) return [ok('PostgreSQL', 'embedded, in DATA_DIR; not opened, since one process may use it')];
  let database: Database;
  try {
    // The driver is large, so it is loaded only here.
    const { connectPostgres } = await import('../platform/database/postgres.ts');
    database = await connectPostgres(address.url, 1);
  } catch (error) {
    return [problem('PostgreSQL', (error as Error).message, 'check DATABASE_URL, and that the server can be reached')];
  }
  try {
    return [
      await checkVersion(database, address.connections),
      await checkMigrations(database, migrations),
      await checkClock('PostgreSQL clock', () => timeOf(database), Date.now),
    ];
  } catch (error) {
    return [problem('PostgreSQL', (error as Error).message, 'check the rights of the user in DATABASE_URL')];
  } finally {
    await database.destroy();
  }
}

async function checkVersion(database: Database, connections: number): Promise<Check> {
  const { rows } = await sql<{ version: string; most: number }>`
    select current_setting('server_version') as version, current_setting('max_connections')::int as most
  `.execute(database);
  const { version, most } = rows[0]!;
  const found = `${version}, ${most} connections at most`;
  if (connections < most) return ok('PostgreSQL', found);
  return warning('PostgreSQL', found, `lower DATABASE_CONNECTIONS (${connections}), of which each process has so many`);
}

async function checkMigrations(database: Database, migrations: readonly string[]): Promise<Check> {
  const trail = await sql<{ name: string | null }>`select to_regclass('fairline_migrations')::text as name`.execute(
    database,
  );
  const isThere = trail.rows[0]!.name !== null;
  const done = isThere
    ? (await sql<{ name: string }>`select name from fairline_migrations`.execute(database)).rows
    : [];
  const names = done.map(({ name }) => name);
  const missing = migrations.filter((name) => !names.includes(name));
  const unknown = names.filter((name) => !migrations.includes(name));
  if (unknown.length > 0) {
    const advice = 'the database was used by a newer version: run that one, since this one does not know its tables';
    return problem('PostgreSQL migrations', `not known here: ${unknown.join(', ')}`, advice);
  }
  if (missing.length === 0) return ok('PostgreSQL migrations', `all ${names.length} are done`);
  const advice = 'the next start of this version runs them by itself';
  return warning('PostgreSQL migrations', `${missing.length} to be done: ${missing.join(', ')}`, advice);
}

async function timeOf(database: Database): Promise<number> {
  const { rows } = await sql<{ ms: string }>`select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(
    database,
  );
  return Number(rows[0]!.ms);
}
