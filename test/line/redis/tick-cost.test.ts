import { expect, it, onTestFinished } from 'vitest';
import { describeWithRedis } from '../../support/redis-server.ts';
import { testRoomDefaults } from '../../support/rooms.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { openRedisStore } from './open-redis-store.ts';
import { shareRedis } from './share-redis.ts';

const WAITERS = 2_000;

describeWithRedis('what a tick costs Redis', () => {
  const { url, client } = shareRedis();

  async function openLine(eventId: string) {
    const clock = createTestClock();
    const store = await openRedisStore({ url: url() }, { defaults: testRoomDefaults(), now: () => clock.now() });
    onTestFinished(() => store.close());
    await store.putRoom(eventId, { maxActive: 0 });
    await Promise.all(Array.from({ length: WAITERS }, (_, i) => store.join(eventId, `v${i + 1}`)));
    /** The ruler of the next tick, and how often the tick looked into the line for it. */
    const tick = async () => {
      clock.advance(1_000);
      await client().config('RESETSTAT');
      const ticked = await store.tick(eventId);
      if (ticked.outcome !== 'ticked') throw new Error(ticked.outcome);
      const looks = Number(/^cmdstat_zrange:calls=(\d+)/m.exec(await client().info('commandstats'))?.[1] ?? 0);
      return { looks, ...ticked.pulse.ruler };
    };
    return { store, tick };
  }

  it('is a few commands while nobody joins or leaves, however long the line is', async () => {
    const { store, tick } = await openLine('still');
    const first = await tick();
    expect(first.looks).toBeGreaterThan(100);
    await store.look('still', 'v7');
    const { looks, ...ruler } = await tick();
    expect(looks).toBeLessThan(10);
    expect(ruler).toEqual({ numbers: first.numbers, ranks: first.ranks });
  });

  it('includes measuring the line again when somebody joined or left', async () => {
    const { store, tick } = await openLine('moving');
    await tick();
    await store.leave('moving', 'v1000');
    const left = await tick();
    expect(left.ranks.at(-1)).toBe(WAITERS - 1);
    await store.join('moving', 'late');
    const joined = await tick();
    expect([joined.numbers.at(-1), joined.ranks.at(-1)]).toEqual([WAITERS + 1, WAITERS]);
    // As many as before, and others.
    await store.leave('moving', 'v50');
    await store.join('moving', 'later');
    const { numbers, ranks } = await tick();
    expect([numbers.at(-1), ranks.at(-1)]).toEqual([WAITERS + 2, WAITERS]);
    expect(numbers).not.toContain(50);
  });

  it('includes measuring the line again when one left its end and another joined in its middle', async () => {
    const { store, tick } = await openLine('middle');
    await store.handOverNumbers('middle', 'activation');
    await store.joinWithNumber('middle', 'far', 5_000);
    await tick();
    await store.leave('middle', 'v50');
    await store.joinWithNumber('middle', 'between', 4_000);
    const { numbers, ranks } = await tick();
    expect(numbers).not.toContain(50);
    expect(ranks.at(-1)).toBe(WAITERS + 1);
  });
});
