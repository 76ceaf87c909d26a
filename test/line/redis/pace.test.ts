import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { LineStore } from '../../../src/line/store/line-store.ts';
import { MemoryLineStore } from '../../../src/line/store/memory/memory-line-store.ts';
import { describeWithRedis, type RedisServer, startRedis } from '../../support/redis-server.ts';
import { testRoomDefaults } from '../../support/rooms.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { openRedisStore } from './open-redis-store.ts';

const TICK_MS = 5_000;
const defaults = testRoomDefaults({ maxActive: 60, renew: false, activeTtlMs: 100_000, claimTtlMs: 100_000 });

describeWithRedis('the pace of a sale', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server?.stop());

  // Random histories are too short for this: waves of slots, a shift, people giving up, a pause and a lowered limit.
  it('is the same to the last bit on both stores, tick by tick', async () => {
    const clock = createTestClock();
    const log = pino({ level: 'silent' });
    const memory = await MemoryLineStore.open({
      dir: tempFolder(),
      defaults,
      tickMs: TICK_MS,
      clock,
      log,
      sync: false,
    });
    onTestFinished(() => memory.close());
    const redis = await openRedisStore({ url: server.url }, { defaults, tickMs: TICK_MS, now: () => clock.now() });
    const both = <T>(act: (store: LineStore) => Promise<T>) => Promise.all([act(memory), act(redis)]);
    const changes = new Set<string | undefined>();
    await both((store) => store.putRoom('concert', {}));
    await both((store) => Promise.all(Array.from({ length: 600 }, (_, i) => store.join('concert', `v${i}`))));
    for (let i = 0; i < 300; i += 1) {
      clock.advance(TICK_MS);
      if (i === 150) await both((store) => store.putRoom('concert', { activeTtlMs: 400_000 }));
      if (i === 240) await both((store) => store.putRoom('concert', { state: 'paused' }));
      if (i === 250) await both((store) => store.putRoom('concert', { state: 'open', maxActive: 50 }));
      if (i % 3 === 0) await both((store) => store.leave('concert', `v${600 - i}`));
      const [expected, actual] = await both((store) => store.tick('concert'));
      expect(actual, `tick ${i}`).toEqual(expected);
      if (expected.outcome === 'ticked') changes.add(expected.pulse.crowd.pace.change);
    }
    expect([...changes].sort()).toEqual(['limit', 'slower', undefined]);
  });
});
