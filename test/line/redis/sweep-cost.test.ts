import { expect, it, onTestFinished } from 'vitest';
import { describeWithRedis } from '../../support/redis-server.ts';
import { testRoomDefaults } from '../../support/rooms.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { openRedisStore } from './open-redis-store.ts';
import { shareRedis } from './share-redis.ts';

const SEEN_TTL_MS = 60_000;
const WAITERS = 2_500;

describeWithRedis('what a sweep costs Redis', () => {
  const { url, client } = shareRedis();

  async function openLine(eventId: string, waiters = WAITERS) {
    const clock = createTestClock();
    const store = await openRedisStore({ url: url() }, { defaults: testRoomDefaults(), now: () => clock.now() });
    onTestFinished(() => store.close());
    await store.putRoom(eventId, { maxActive: 0, seenTtlMs: SEEN_TTL_MS, disconnectGraceMs: 10_000 });
    await Promise.all(Array.from({ length: waiters }, (_, i) => store.join(eventId, `v${i + 1}`)));
    /** Ticks, so that the time that passes is no standstill. */
    const advance = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 10_000) {
        clock.advance(Math.min(10_000, ms - passed));
        await store.tick(eventId);
      }
    };
    /** One pass. Returns how many sweeps it took. */
    const sweep = async () => {
      for (let sweeps = 1; ; sweeps += 1) {
        const swept = await store.sweep(eventId);
        if (swept.outcome !== 'swept' || !swept.more) return sweeps;
      }
    };
    const countWaiting = async () => (await store.findRoom(eventId))?.crowd.waiting;
    return { store, advance, sweep, countWaiting };
  }

  /** How often the last-seen times of waiters were read meanwhile. */
  async function countReads(work: () => Promise<unknown>): Promise<number> {
    await client().config('RESETSTAT');
    await work();
    return Number(/^cmdstat_getrange:calls=(\d+)/m.exec(await client().info('commandstats'))?.[1] ?? 0);
  }

  it('is nothing for the waiters of a room where nobody can have lapsed', async () => {
    const { advance, sweep } = await openLine('quiet');
    expect(await sweep()).toBe(3);
    await advance(SEEN_TTL_MS - 1);
    expect(await countReads(sweep)).toBe(0);
  });

  it('is a walk again as soon as somebody can have lapsed', async () => {
    const { store, advance, sweep, countWaiting } = await openLine('lapsing');
    await advance(20_000);
    await store.look('lapsing', 'v7');
    expect(await sweep()).toBe(3);
    await advance(40_000);
    expect(await sweep()).toBe(3);
    expect(await countWaiting()).toBe(1);
    // The one who was heard from later has as much time as from then on.
    await advance(19_999);
    expect(await countReads(sweep)).toBe(0);
    await advance(1);
    await sweep();
    expect(await countWaiting()).toBe(0);
  });

  it('is a walk again when a connection has closed, and its grace is over', async () => {
    const { store, advance, sweep, countWaiting } = await openLine('closing', 20);
    await sweep();
    await store.disconnect('closing', 'v3');
    await advance(9_999);
    expect(await countReads(sweep)).toBe(0);
    await advance(1);
    await sweep();
    expect(await countWaiting()).toBe(19);
  });

  it('minds a connection that closes behind a sweep under way', async () => {
    const { store, advance, sweep, countWaiting } = await openLine('passed');
    await store.sweep('passed');
    await store.disconnect('passed', 'v3');
    await sweep();
    await advance(10_000);
    await sweep();
    expect(await countWaiting()).toBe(WAITERS - 1);
  });

  it('is a walk again when the operator shortens the grace of closed connections', async () => {
    const { store, advance, sweep, countWaiting } = await openLine('shorter', 20);
    await store.disconnect('shorter', 'v3');
    await sweep();
    await store.putRoom('shorter', { disconnectGraceMs: 5_000 });
    await advance(5_000);
    await sweep();
    expect(await countWaiting()).toBe(19);
  });
});
