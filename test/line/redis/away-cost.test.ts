import { pino } from 'pino';
import { expect, it } from 'vitest';
import { RulerWatch } from '../../../src/line/store/ruler-watch.ts';
import { describeWithRedis } from '../../support/redis-server.ts';
import { testRoomDefaults } from '../../support/rooms.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { openRedisStore } from './open-redis-store.ts';
import { shareRedis } from './share-redis.ts';

/** Counts the commands that Redis runs, those of scripts included, except its own reading. */
describeWithRedis('what absent visitors cost Redis', () => {
  const { url, client } = shareRedis();

  async function countCommands(work: () => Promise<unknown>): Promise<number> {
    await client().config('RESETSTAT');
    await work();
    const stats = await client().info('commandstats');
    const counts = [...stats.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)];
    return counts
      .filter(([, name]) => !/^(config|info|ping)/.test(name!))
      .reduce((sum, [, , calls]) => sum + Number(calls), 0);
  }

  async function openLine(eventId: string, waiters: number) {
    const clock = createTestClock();
    const store = await openRedisStore({ url: url() }, { defaults: testRoomDefaults(), now: () => clock.now() });
    await store.putRoom(eventId, { maxActive: 0 });
    await Promise.all(Array.from({ length: waiters }, (_, i) => store.join(eventId, `v${i + 1}`)));
    const tick = async () => {
      clock.advance(1_000);
      return store.tick(eventId);
    };
    return { clock, store, tick };
  }

  it('is paid once for each: later ticks and polls cost the same as if they were not there (9)', async () => {
    const { store, tick } = await openLine('absent', 500);
    const { store: plain, tick: tickPlain } = await openLine('plain', 1);
    for (let second = 0; second < 21; second += 1) {
      for (const [one, eventId] of [
        [store, 'absent'],
        [plain, 'plain'],
      ] as const) {
        await one.look(eventId, eventId === 'absent' ? 'v500' : 'v1');
      }
      await tick();
      await tickPlain();
    }
    for (const [one, eventId] of [
      [store, 'absent'],
      [plain, 'plain'],
    ] as const)
      await one.putRoom(eventId, { maxActive: 1 });
    const first = await countCommands(tick);
    expect(await store.findRoom('absent')).toMatchObject({ crowd: { away: 499, admitted: 1 } });
    // About one read for each: their last sign of life.
    expect(first).toBeLessThan(499 * 1.2 + 100);
    await tickPlain();
    const [later, none] = [await countCommands(tick), await countCommands(tickPlain)];
    // Whether somebody is away, how many, and the lowest number.
    expect(later - none).toBeLessThanOrEqual(4);
    expect(none).toBeLessThan(60);
  });

  it('is nothing for a poll that the ruler answers, and one batch for all signs of life of a turn', async () => {
    const { clock, store, tick } = await openLine('polls', 50);
    await tick();
    const log = pino({ level: 'silent' });
    // Only polls read the pulse here, not time.
    const delay = () => new Promise<never>(() => {});
    const watch = new RulerWatch({ visits: store, admissions: store, clock, delay, log, tickMs: 1_000 });
    const poll = () => Promise.all(Array.from({ length: 50 }, (_, i) => watch.look('polls', `v${i + 1}`)));
    await poll();
    await poll();
    clock.advance(200);
    expect(await countCommands(poll)).toBe(0);
    clock.advance(200);
    expect(await countCommands(poll), 'one read for all after the lease').toBe(1);
  });
});
