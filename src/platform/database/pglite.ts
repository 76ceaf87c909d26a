/** PostgreSQL in this process. It has one connection, which its users take in turn. */
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type { Database } from './database.ts';
import { tellStatements } from './statements.ts';

export async function openPglite(dir: string): Promise<Database> {
  const pglite = await PGlite.create({ dataDir: dir });
  return new Kysely<unknown>({ dialect: new PostgresDialect({ pool: createTurns(pglite) }), ...tellStatements() });
}

/** A pool of one: whoever connects has it until released, and the next in order has it then. */
function createTurns(pglite: PGlite): PostgresPool {
  const client = createClient(pglite, release);
  const waiting: ((client: PostgresPoolClient) => void)[] = [];
  let isTaken = false;

  function release(): void {
    const next = waiting.shift();
    if (next === undefined) isTaken = false;
    else next(client);
  }

  return {
    async connect() {
      if (isTaken) return new Promise((resolve) => waiting.push(resolve));
      isTaken = true;
      return client;
    },
    end: () => pglite.close(),
  };
}

function createClient(pglite: PGlite, release: () => void): PostgresPoolClient {
  const query = async (sql: string, parameters: readonly unknown[]) => {
    const { rows, affectedRows } = await run(pglite, sql, parameters);
    return { command: 'SELECT' as const, rowCount: affectedRows ?? rows.length, rows };
  };
  return { query: query as PostgresPoolClient['query'], release };
}

/** Only without parameters may a text hold several statements, as migrations do. */
async function run(pglite: PGlite, sql: string, parameters: readonly unknown[]) {
  if (parameters.length > 0) return pglite.query<unknown>(sql, [...parameters]);
  const results = await pglite.exec(sql);
  return results.at(-1) ?? { rows: [], affectedRows: 0 };
}
