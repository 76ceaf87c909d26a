/** Runs a suite on every supported database, with a new database of each kind. */
import { afterAll, beforeAll, describe } from 'vitest';
import type { Database } from '../../src/platform/database/database.ts';
import { createLazyDatabase, type LazyDatabase } from '../../src/platform/database/lazy-database.ts';
import type { Schema } from '../../src/platform/database/schema.ts';
import { describeWithPostgres, sharedPostgres } from './postgres-server.ts';

export interface SuiteDatabase {
  /** Available once the suite runs. */
  readonly db: Database;
  readonly lazy: LazyDatabase;
}

/** Tests share the database and use their own events and visitors, because PGlite takes seconds to create one. */
export function describeOnEachDatabase(name: string, schema: Schema, suite: (database: SuiteDatabase) => void): void {
  describe(`${name} on PGlite`, () => suite(onPglite(schema)));
  describeWithPostgres(`${name} on PostgreSQL`, () => suite(onPostgres(schema)));
}

function onPglite(schema: Schema): SuiteDatabase {
  const suite = { db: undefined as unknown as Database, lazy: createLazyDatabase({ dir: 'memory://' }, schema) };
  beforeAll(async () => {
    suite.db = await suite.lazy.get();
  });
  afterAll(() => suite.lazy.close());
  return suite;
}

export function onPostgres(schema: Schema): SuiteDatabase {
  const suite = { db: undefined as unknown as Database, lazy: undefined as unknown as LazyDatabase };
  beforeAll(async () => {
    const server = await sharedPostgres();
    suite.lazy = createLazyDatabase({ url: await server.createDatabase(), connections: 10 }, schema);
    suite.db = await suite.lazy.get();
  });
  afterAll(() => suite.lazy?.close());
  return suite;
}
