import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { isDatabaseAway, isUniqueViolation } from '../../../src/platform/database/database-errors.ts';
import { createLazyDatabase } from '../../../src/platform/database/lazy-database.ts';
import { migrate } from '../../../src/platform/database/migrate.ts';
import type { Migration, Schema } from '../../../src/platform/database/schema.ts';
import { inTransaction } from '../../../src/platform/database/transaction.ts';
import { describeOnEachDatabase } from '../../support/databases.ts';
import { ask, describeWithPostgres, type PostgresDatabases, sharedPostgres } from '../../support/postgres-server.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

const first = { name: '001-things', sql: 'create table things (id int primary key, count int not null default 0);' };
const second = {
  name: '002-more',
  sql: 'alter table things add column name text; insert into things (id) values (1);',
};

const tables = (...migrations: Migration[]): Schema => ({ migrations, functions: [] });

describeOnEachDatabase('the database', tables(first), (suite) => {
  it('applies each migration once, also those added later', async () => {
    await migrate(suite.db, tables(first, second));
    await migrate(suite.db, tables(first, second));
    const { rows } = await sql<{ name: string }>`select name from fairline_migrations order by name`.execute(suite.db);
    expect(rows.map(({ name }) => name)).toEqual(['001-things', '002-more']);
  });

  it('rolls back all migrations of a start if one fails', async () => {
    const good = { name: '003-good', sql: 'create table good (id int);' };
    const bad = { name: '004-bad', sql: 'create table bad (id int); select nonsense;' };
    await expect(migrate(suite.db, tables(first, good, bad))).rejects.toThrow('nonsense');
    const { rows } = await sql`select 1 from information_schema.tables where table_name in ('good', 'bad')`.execute(
      suite.db,
    );
    expect(rows).toEqual([]);
  });

  it('rolls back a failed transaction and recognises a unique violation', async () => {
    const twice = inTransaction(suite.db, async (tx) => {
      await sql`insert into things (id) values (7)`.execute(tx);
      await sql`insert into things (id) values (7)`.execute(tx);
    });
    await expect(twice).rejects.toSatisfy(isUniqueViolation);
    expect((await sql`select 1 from things where id = 7`.execute(suite.db)).rows).toEqual([]);
  });

  it('serializes concurrent transactions on the same row', async () => {
    await sql`insert into things (id) values (8)`.execute(suite.db);
    const add = () =>
      inTransaction(suite.db, async (tx) => {
        const { rows } = await sql<{ count: number }>`select count from things where id = 8 for update`.execute(tx);
        await sql`update things set count = ${rows[0]!.count + 1} where id = 8`.execute(tx);
      });
    await Promise.all(Array.from({ length: 20 }, add));
    const { rows } = await sql<{ count: number }>`select count from things where id = 8`.execute(suite.db);
    expect(rows[0]!.count).toBe(20);
  });

  it('returns times, lists and JSON unchanged', async () => {
    const at = new Date('2026-05-01T10:00:00.123Z');
    const { rows } = await sql`
      select ${at}::timestamptz as at, ${['a', 'b"c']}::text[] as list, ${JSON.stringify([{ a: 1 }])}::jsonb as json
    `.execute(suite.db);
    expect(rows).toEqual([{ at, list: ['a', 'b"c'], json: [{ a: 1 }] }]);
  });
});

it('runs the embedded database off the main thread', async () => {
  const database = createLazyDatabase({ dir: tempFolder() }, tables(first));
  let turns = 0;
  let isDone = false;
  const answer = database
    .get()
    .then((db) => sql`select count(*)::int as n from generate_series(1, 300000)`.execute(db));
  void answer.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await new Promise(setImmediate);
    turns += 1;
  }
  expect((await answer).rows).toEqual([{ n: 300_000 }]);
  // On the main thread there would be only a few turns of the event loop.
  expect(turns).toBeGreaterThan(1_000);
  await database.close();
});

it('reports why the embedded database cannot be opened, and opens it once it can', async () => {
  const dir = join(tempFolder(), 'database');
  writeFileSync(dir, 'not a folder');
  const database = createLazyDatabase({ dir }, tables(first));
  await expect(database.get()).rejects.toThrow(
    `the embedded database cannot be opened in ${dir}: its files cannot be used`,
  );
  rmSync(dir);
  expect((await sql`select 1 as one`.execute(await database.get())).rows).toEqual([{ one: 1 }]);
  await database.close();
});

describeWithPostgres('PostgreSQL', () => {
  let server: PostgresDatabases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  it('is migrated once when several processes start at the same time', async () => {
    const url = await server.createDatabase();
    const starts = Array.from({ length: 5 }, () => createLazyDatabase({ url, connections: 1 }, tables(first, second)));
    await Promise.all(starts.map((start) => start.get()));
    await Promise.all(starts.map((start) => start.close()));
    expect(await ask(url, 'select count(*)::int as count from things')).toEqual([{ count: 1 }]);
  });

  it('fails only the transaction whose connection breaks between two statements', async () => {
    const url = await server.createDatabase();
    const database = createLazyDatabase({ url, connections: 1 }, tables());
    const db = await database.get();
    const broken = inTransaction(db, async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      await ask(server.url, `select pg_terminate_backend(${rows[0]!.pid}, 5000)`);
      await until('the connection to be known as broken', async () =>
        sql`select 1`.execute(tx).then(
          () => false,
          () => true,
        ),
      );
      await sql`select 1`.execute(tx);
    });
    await expect(broken).rejects.toSatisfy(isDatabaseAway);
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
    await database.close();
  });

  it('parses and plans each function call once per connection', async () => {
    const url = await server.createDatabase();
    const twice = {
      name: '001-twice',
      sql: 'create function twice(int) returns int language sql as $$ select 2 * $1 $$;',
    };
    const database = createLazyDatabase({ url, connections: 1 }, tables(twice));
    const db = await database.get();
    for (const n of [1, 2, 3]) {
      expect((await sql`select twice(${n}) as twice`.execute(db)).rows).toEqual([{ twice: 2 * n }]);
      expect((await sql`select twice(twice(${n})) as twice`.execute(db)).rows).toEqual([{ twice: 4 * n }]);
    }
    const { rows } = await sql`select name from pg_prepared_statements order by name`.execute(db);
    expect(rows).toEqual([
      { name: expect.stringMatching(/^twice\(\d/) },
      { name: expect.stringMatching(/^twice\(twice\(\d/) },
    ]);
    await database.close();
  });

  it('repeats a transaction after a deadlock without reporting it to the caller', async () => {
    const url = await server.createDatabase();
    const lazy = createLazyDatabase({ url, connections: 10 }, tables(first));
    const db = await lazy.get();
    await sql`insert into things (id) values (1), (2)`.execute(db);
    const addTo = (one: number, other: number) =>
      inTransaction(db, async (tx) => {
        await sql`update things set count = count + 1 where id = ${one}`.execute(tx);
        await sql`select pg_sleep(0.05)`.execute(tx);
        await sql`update things set count = count + 1 where id = ${other}`.execute(tx);
      });
    await Promise.all([addTo(1, 2), addTo(2, 1)]);
    const { rows } = await sql`select count from things`.execute(db);
    expect(rows).toEqual([{ count: 2 }, { count: 2 }]);
    await lazy.close();
  });

  it('reports an unreachable server as unavailable', async () => {
    const lazy = createLazyDatabase({ url: 'postgres://fairline@127.0.0.1:1/none', connections: 1 }, tables());
    await expect(lazy.get()).rejects.toSatisfy(isDatabaseAway);
    await expect(lazy.get()).rejects.toThrow('PostgreSQL cannot be used');
    await lazy.close();
  });
});
