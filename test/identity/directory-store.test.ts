/** The contract of the directory, on each store; and what the copy in memory adds. */
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseSchema } from '../../src/compose/database-schema.ts';
import { Directory } from '../../src/identity/directory/directory.ts';
import type { DirectoryStore } from '../../src/identity/directory/directory-store.ts';
import { createDirectoryFile } from '../../src/identity/file/directory-file.ts';
import { createPostgresDirectory } from '../../src/identity/postgres/postgres-directory.ts';
import { createRedisDirectory } from '../../src/identity/redis/redis-directory.ts';
import { describeOnEachDatabase } from '../support/databases.ts';
import { describeWithRedis, type RedisServer, startRedis } from '../support/redis-server.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTestClock } from '../support/test-clock.ts';

function contract(open: () => DirectoryStore | Promise<DirectoryStore>): void {
  it('creates once, replaces, removes once, and keeps kinds apart', async () => {
    const store = await open();
    expect(await store.list('key')).toEqual([]);
    const value = { role: 'viewer', text: 'é "\u2028' };
    expect([await store.create('key', 'deploy', value), await store.create('key', 'deploy', {})]).toEqual([
      true,
      false,
    ]);
    expect(await store.list('key')).toEqual([{ id: 'deploy', value }]);
    await store.put('key', 'deploy', { role: 'admin' });
    await store.put('invitation', 'ann@example.org', { role: 'operator' });
    expect(await store.list('key')).toEqual([{ id: 'deploy', value: { role: 'admin' } }]);
    expect(await store.list('invitation')).toEqual([{ id: 'ann@example.org', value: { role: 'operator' } }]);
    expect([await store.remove('key', 'deploy'), await store.remove('key', 'deploy')]).toEqual([true, false]);
    expect(await store.list('key')).toEqual([]);
    await store.remove('invitation', 'ann@example.org');
  });

  it('lets one of many win that create the same at once, and loses none of many different ones', async () => {
    const store = await open();
    const won = await Promise.all(Array.from({ length: 8 }, (_, n) => store.create('person', 'same', { n })));
    expect(won.filter(Boolean)).toHaveLength(1);
    await Promise.all(Array.from({ length: 8 }, (_, n) => store.put('person', `p${n}`, { n })));
    expect(await store.list('person')).toHaveLength(9);
  });
}

describe('the directory in a file', () => {
  contract(() => createDirectoryFile(tempFolder()));

  it('is there after a restart', async () => {
    const dir = tempFolder();
    await createDirectoryFile(dir).create('key', 'a', { role: 'viewer' });
    expect(await createDirectoryFile(dir).list('key')).toHaveLength(1);
  });
});

describeOnEachDatabase('the directory', databaseSchema, (suite) => contract(() => createPostgresDirectory(suite.lazy)));

describeWithRedis('the directory in Redis', () => {
  let server: RedisServer;
  let client: Redis;
  beforeAll(async () => {
    server = await startRedis();
    client = new Redis(server.url);
  });
  afterAll(async () => {
    await client?.quit();
    await server?.stop();
  });
  contract(() => createRedisDirectory(client));
});

describe('the copy of the directory in a process', () => {
  function createCopy() {
    const stopwatch = createTestClock();
    const store = createDirectoryFile(tempFolder());
    let isAway = false;
    let reads = 0;
    const watched: DirectoryStore = {
      ...store,
      list: async (kind) => {
        reads += 1;
        if (isAway) throw new Error('away');
        return store.list(kind);
      },
    };
    const directory = new Directory({ store: watched, stopwatch });
    return { stopwatch, store, directory, countReads: () => reads, setAway: (value: boolean) => (isAway = value) };
  }
  const has = (id: string) => (entries: ReadonlyMap<string, unknown>) => entries.get(id);

  it('reads the store at most every two seconds, however many ask, and sees its own changes at once', async () => {
    const { directory, stopwatch, countReads } = createCopy();
    await Promise.all(Array.from({ length: 50 }, () => directory.read('key')));
    for (let n = 0; n < 50; n += 1) await directory.read('key');
    expect(countReads()).toBe(1);
    await directory.create('key', 'mine', {});
    expect((await directory.read('key')).has('mine')).toBe(true);
    await directory.remove('key', 'mine');
    expect((await directory.read('key')).has('mine')).toBe(false);
    const before = countReads();
    stopwatch.advance(2_000);
    await directory.read('key');
    expect(countReads()).toBe(before + 1);
  });

  it('sees what another process changed within two seconds, and at once what it did not know', async () => {
    const { directory, store, stopwatch } = createCopy();
    await directory.read('key');
    await store.create('key', 'new', { n: 1 });
    stopwatch.advance(250);
    expect(await directory.search('key', has('new'))).toEqual({ n: 1 });
    await store.remove('key', 'new');
    stopwatch.advance(2_000);
    expect(await directory.search('key', has('new'))).toBeUndefined();
  });

  it('does not ask the store for every unknown key', async () => {
    const { directory, countReads, stopwatch } = createCopy();
    await directory.read('key');
    stopwatch.advance(250);
    for (let n = 0; n < 100; n += 1) await directory.search('key', has(`guess-${n}`));
    expect(countReads()).toBe(2);
  });

  it('goes on with what it knows while the store is away, for ten minutes', async () => {
    const { directory, store, stopwatch, setAway } = createCopy();
    await store.create('key', 'known', { n: 1 });
    expect(await directory.search('key', has('known'))).toEqual({ n: 1 });
    setAway(true);
    stopwatch.advance(300_000);
    expect(await directory.search('key', has('known'))).toEqual({ n: 1 });
    stopwatch.advance(301_000);
    await expect(directory.read('key')).rejects.toThrow('away');
    setAway(false);
    expect((await directory.read('key')).has('known')).toBe(true);
  });
});
