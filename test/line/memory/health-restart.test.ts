import { pino } from 'pino';
import { expect, it } from 'vitest';
import { MemoryLineStore } from '../../../src/line/store/memory/memory-line-store.ts';
import { testRoomDefaults } from '../../support/rooms.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createTestClock } from '../../support/test-clock.ts';

it('keeps a lowered rate, and the reason, over restarts and snapshots', async () => {
  const clock = createTestClock();
  const options = {
    dir: tempFolder(),
    defaults: testRoomDefaults(),
    tickMs: 1_000,
    clock,
    log: pino({ level: 'silent' }),
  };
  const store = await MemoryLineStore.open(options);
  const followHealth = { maxErrorShare: 0.1, maxP95Ms: 500, minPerSecond: 1 };
  await store.putRoom('concert', { admitPerSecond: 8, followHealth });
  for (let i = 0; i < 3; i += 1) {
    await store.putHealth('concert', { responses: 50, errors: 50, latencies: [50] });
    clock.advance(1_000);
    await store.tick('concert');
  }
  const before = (await store.findRoom('concert'))!.crowd.health;
  expect(before).toMatchObject({ perSecond: 2, cause: 'errors' });
  await store.close();
  // The second restart reads the snapshot that the first one wrote.
  for (const compactAboveBytes of [1, 1]) {
    const reopened = await MemoryLineStore.open({ ...options, compactAboveBytes });
    expect((await reopened.findRoom('concert'))!.crowd.health).toEqual(before);
    await reopened.putRoom('concert', { maxActive: 5 });
    await reopened.close();
  }
});
