/** Checks PostgreSQL: connection, version, connection limit, migrations, clock. */
import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';
import type { DatabaseAddress } from '../platform/database/lazy-database.ts';
import { type DatabaseServer, isUnverified } from '../platform/database/postgres-options.ts';
import { type Check, ok, problem, warning } from './check.ts';
import { checkClock } from './check-clock.ts';

/** `migrations`: the names of this version's migrations. */
export async function checkDatabase(address: DatabaseAddress, migrations: readonly string[]): Promise<Check[]> {
  if (!('url' in address))
    return [ok('PostgreSQL', 'embedded in DATA_DIR; not opened, because a running instance may be using it')];
  let database: Database;
  try {
    // The driver is loaded only when configured: it is large.
    const { connectPostgres } = await import('../platform/database/postgres.ts');
    database = await connectPostgres(address, 1);
  } catch (error) {
    return [
      problem('PostgreSQL', (error as Error).message, 'check DATABASE_URL and that the server is reachable from here'),
    ];
  }
  try {
    return [
      await checkVersion(database, address.connections),
      ...checkTls(address),
      await checkMigrations(database, migrations),
      await checkClock('PostgreSQL clock', () => timeOf(database), Date.now),
    ];
  } catch (error) {
    return [problem('PostgreSQL', (error as Error).message, 'check the privileges of the user in DATABASE_URL')];
  } finally {
    await database.destroy();
  }
}

function checkTls(server: DatabaseServer): Check[] {
  if (!isUnverified(server)) return [];
  const advice = 'set DATABASE_TLS=verify-full, with DATABASE_TLS_CA_FILE if a public CA did not sign the certificate';
  return [warning('PostgreSQL TLS', 'encrypted, but the server is not verified', advice)];
}

async function checkVersion(database: Database, connections: number): Promise<Check> {
  const { rows } = await sql<{ version: string; most: number }>`
    select current_setting('server_version') as version, current_setting('max_connections')::int as most
  `.execute(database);
  const { version, most } = rows[0]!;
  const found = `${version}, max_connections ${most}`;
  if (connections < most) return ok('PostgreSQL', found);
  return warning(
    'PostgreSQL',
    found,
    `lower DATABASE_CONNECTIONS (${connections} per process) or raise max_connections`,
  );
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
    const advice = 'a newer version of Fairline migrated this database: run that version';
    return problem('PostgreSQL migrations', `unknown: ${unknown.join(', ')}`, advice);
  }
  if (missing.length === 0) return ok('PostgreSQL migrations', `all ${names.length} applied`);
  const advice = 'fairline start applies them';
  return warning('PostgreSQL migrations', `${missing.length} pending: ${missing.join(', ')}`, advice);
}

async function timeOf(database: Database): Promise<number> {
  const { rows } = await sql<{ ms: string }>`select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(
    database,
  );
  return Number(rows[0]!.ms);
}
