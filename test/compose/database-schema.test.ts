import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { databaseSchema } from '../../src/compose/database-schema.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { openPglite } from '../../src/platform/database/pglite.ts';
import { connectPostgres } from '../../src/platform/database/postgres.ts';
import { inTransaction } from '../../src/platform/database/transaction.ts';
import { describeWithPostgres, type PostgresDatabases, sharedPostgres } from '../support/postgres-server.ts';
import { readCatalog } from './catalog.ts';
import revisions from './function-revisions.json' with { type: 'json' };

const release010 = readFileSync(new URL('database-0.1.0.sql', import.meta.url), 'utf8');

/** PGlite takes seconds to open, and this opens two. */
const TIMEOUT_MS = 120_000;

function upgrades(open: () => Promise<Database>) {
  it(
    'upgrades a database of 0.1.0 to exactly what a new database contains',
    async () => {
      const upgraded = await open();
      onTestFinished(() => upgraded.destroy());
      await inTransaction(upgraded, (tx) => sql.raw(release010).execute(tx));
      await migrate(upgraded, databaseSchema);
      const created = await open();
      onTestFinished(() => created.destroy());
      await migrate(created, databaseSchema);
      expect(await readCatalog(upgraded)).toEqual(await readCatalog(created));
    },
    TIMEOUT_MS,
  );
}

describe('the schema on PGlite', () => upgrades(() => openPglite('memory://')));

describeWithPostgres('the schema on PostgreSQL', () => {
  let server: PostgresDatabases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  upgrades(async () => connectPostgres(await server.createDatabase(), 1));
});

describe('the functions', () => {
  it('have a new revision whenever their text changes: increase it in the file, and add the hash here', () => {
    const recorded: Record<string, Record<string, string>> = revisions;
    const current = databaseSchema.functions.map(({ name, revision, hash }) => [
      name,
      recorded[name]?.[revision],
      hash,
    ]);
    expect(current.filter(([, known, hash]) => known !== hash)).toEqual([]);
  });

  it('are each defined by the file of their name', () => {
    for (const { name, sql: text } of databaseSchema.functions) {
      const defined = [...text.matchAll(/^create or replace function (\w+)/gm)].map(([, found]) => found);
      expect(new Set(defined)).toEqual(new Set([name]));
    }
  });

  it('appear in no migration', () => {
    const offenders = databaseSchema.migrations.filter((migration) =>
      /create (or replace )?function/.test(migration.sql),
    );
    expect(offenders).toEqual([]);
  });
});
