import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { createLazyDatabase } from '../../../src/platform/database/lazy-database.ts';
import { migrate } from '../../../src/platform/database/migrate.ts';
import { type SqlFunction, toFunction } from '../../../src/platform/database/schema.ts';
import { describeOnEachDatabase } from '../../support/databases.ts';
import { ask, describeWithPostgres, type PostgresDatabases, sharedPostgres } from '../../support/postgres-server.ts';

const none = { migrations: [], functions: [] };

/** A function without arguments that returns the number. */
const returning = (name: string, revision: number, number: number) =>
  toFunction(
    name,
    `-- revision ${revision}\ncreate or replace function ${name}() returns int language sql as 'select ${number}';`,
  );

describeOnEachDatabase('functions', none, (suite) => {
  const start = (...functions: SqlFunction[]) => migrate(suite.db, { migrations: [], functions });
  const call = async (name: string) => {
    const { rows } = await sql<{ value: number }>`select ${sql.raw(name)}() as value`.execute(suite.db);
    return rows[0]!.value;
  };

  it('are created, and replaced by a higher revision', async () => {
    await start(returning('grows', 1, 10));
    expect(await call('grows')).toBe(10);
    await start(returning('grows', 2, 20));
    expect(await call('grows')).toBe(20);
  });

  it('are not replaced by the lower revision of an older process', async () => {
    await start(returning('stays', 2, 20));
    await start(returning('stays', 1, 10));
    expect(await call('stays')).toBe(20);
  });

  it('are replaced by another text of the same revision', async () => {
    await start(returning('edited', 1, 10));
    await start(returning('edited', 1, 11));
    expect(await call('edited')).toBe(11);
  });

  it('are left alone while their text is the same', async () => {
    await start(returning('same', 1, 10));
    const version = sql<{ xmin: string }>`select xmin::text from pg_proc where proname = 'same'`;
    const before = await version.execute(suite.db);
    await start(returning('same', 1, 10));
    expect((await version.execute(suite.db)).rows).toEqual(before.rows);
  });

  it('change their signature by dropping the old one', async () => {
    await start(returning('widened', 1, 10));
    const text = `-- revision 2
      drop function if exists widened();
      create or replace function widened(_add int default 5) returns int language sql as 'select 10 + _add';`;
    await start(toFunction('widened', text));
    expect(await call('widened')).toBe(15);
    const { rows } = await sql`select 1 from pg_proc where proname = 'widened'`.execute(suite.db);
    expect(rows).toHaveLength(1);
  });

  it('are all kept as they were if one of them fails', async () => {
    await start(returning('steady', 1, 10));
    const broken = toFunction('broken', '-- revision 1\ncreate or replace function broken() nonsense;');
    await expect(start(returning('steady', 2, 20), broken)).rejects.toThrow('nonsense');
    expect(await call('steady')).toBe(10);
    await start(returning('steady', 2, 20));
    expect(await call('steady')).toBe(20);
  });
});

it('rejects a function whose file has no revision', () => {
  expect(() => toFunction('plain', 'create function plain() …')).toThrow(
    'function plain: its first line must be "-- revision N"',
  );
});

describeWithPostgres('functions on PostgreSQL', () => {
  let server: PostgresDatabases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  it('end at the highest revision when old and new processes start at once', async () => {
    const url = await server.createDatabase();
    const starts = [1, 3, 2, 3, 1, 2].map((revision) =>
      createLazyDatabase(
        { url, connections: 1 },
        { migrations: [], functions: [returning('raced', revision, revision)] },
      ),
    );
    await Promise.all(starts.map((start) => start.get()));
    await Promise.all(starts.map((start) => start.close()));
    expect(await ask(url, 'select raced() as value')).toEqual([{ value: 3 }]);
  });
});
