/** The contract of the live access list, on the file of the embedded store and on Redis. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccessStore } from '../../../src/gate/access/access-store.ts';
import type { LiveEntry } from '../../../src/gate/access/live-entries.ts';
import { openMemoryAccessStore } from '../../../src/gate/access/memory/memory-access-store.ts';
import { createRedisAccessStore } from '../../../src/gate/access/redis/redis-access-store.ts';
import { createRedisClient } from '../../../src/platform/redis/connect.ts';
import { awaitReady } from '../../../src/platform/redis/connection.ts';
import { describeWithRedis, startRedis } from '../../support/redis-server.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createTestClock, type TestClock } from '../../support/test-clock.ts';

const ban = (id: string, more: Partial<LiveEntry> = {}): LiveEntry =>
  ({ group: 'ban', id, eventId: 'concert', createdAt: 1, visitor: `v-${id}`, ...more }) as LiveEntry;

function describeStore(name: string, open: (clock: TestClock) => Promise<AccessStore>): void {
  const openNew = async () => {
    const clock = createTestClock();
    return { clock, store: await open(clock) };
  };
  const idsOf = async (store: AccessStore) => (await store.read())!.entries.map(({ id }) => id).sort();

  describe(`the access list ${name}`, () => {
    it('has a new version after every change, and is not read again without one', async () => {
      const { store } = await openNew();
      const first = (await store.read())!;
      expect(first.entries).toEqual([]);
      expect(await store.read(first.version)).toBeUndefined();
      expect(await store.put(ban('a'))).toBe('stored');
      const second = (await store.read(first.version))!;
      expect(second.entries).toEqual([ban('a')]);
      expect(await store.read(second.version)).toBeUndefined();
      expect(await store.remove(ban('a'))).toBe(true);
      expect(await store.remove(ban('a'))).toBe(false);
      expect((await store.read(second.version))!.entries).toEqual([]);
    });

    it('replaces an entry, or keeps the first of several that must be new', async () => {
      const { store } = await openNew();
      await store.put(ban('a'));
      expect(await store.put(ban('a', { about: 'second' }))).toBe('stored');
      expect(await store.put(ban('a', { about: 'third' }), { onlyNew: true })).toBe('exists');
      expect((await store.read())!.entries).toEqual([ban('a', { about: 'second' })]);
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => store.put(ban('b'), { onlyNew: true })));
      expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(1);
    });

    it('takes 1,000 entries of a kind in a room, and drops expired ones for new ones', async () => {
      const { store, clock } = await openNew();
      const soon = clock.now() + 60_000;
      await Promise.all(Array.from({ length: 1_000 }, (_, i) => store.put(ban(`n${i}`, { expiresAt: soon }))));
      expect(await store.put(ban('more'))).toBe('full');
      expect(await store.put(ban('n1', { expiresAt: soon }))).toBe('stored');
      expect(await store.put(ban('other', { eventId: 'other' }))).toBe('stored');
      clock.advance(60_001);
      expect(await store.put(ban('more'))).toBe('stored');
      expect(await idsOf(store)).toEqual(['more', 'other']);
    });
  });
}

describeStore('in a file', (clock) => openMemoryAccessStore(tempFolder(), clock));

describe('the access list in a file', () => {
  it('is there after a restart; a file that cannot be read stops the start instead of lifting bans', async () => {
    const folder = tempFolder();
    const clock = createTestClock();
    await (await openMemoryAccessStore(folder, clock)).put(ban('a'));
    expect((await (await openMemoryAccessStore(folder, clock)).read())!.entries).toEqual([ban('a')]);
    const path = join(folder, 'access.json');
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, -5));
    await expect(openMemoryAccessStore(folder, clock)).rejects.toThrow('access.json cannot be read');
  });

  it('skips malformed entries: they have no effect', async () => {
    const folder = tempFolder();
    const rule = { group: 'rule', id: 'r', eventId: 'concert', createdAt: 1 };
    const malformed = [
      { ...rule, entry: { effect: 'bypass' } },
      { ...rule, entry: { effect: 'bypass', addresses: '0.0.0.0/0' } },
      { ...rule, entry: { effect: 'bypass', addresses: ['0.0.0.0/0'] } },
      { ...rule, entry: { effect: 'bypass', header: { name: 'x-a', secret: {} } } },
      { ...rule, eventId: '../x', entry: { effect: 'bypass', addresses: ['192.0.2.1'] } },
      { ...rule, group: 'root', entry: {} },
      null,
      7,
    ];
    writeFileSync(join(folder, 'access.json'), JSON.stringify([...malformed, ban('a')]));
    expect((await (await openMemoryAccessStore(folder, createTestClock())).read())!.entries).toEqual([ban('a')]);
  });
});

describeWithRedis('Redis', () => {
  let server: Awaited<ReturnType<typeof startRedis>>;
  let client: ReturnType<typeof createRedisClient>;
  beforeAll(async () => {
    server = await startRedis();
    client = createRedisClient({ url: server.url });
    await awaitReady(client);
  });
  afterAll(async () => {
    client?.disconnect();
    await server?.stop();
  });
  describeStore('in Redis', async (clock) => {
    await client.flushall();
    return createRedisAccessStore(client, clock);
  });
});
