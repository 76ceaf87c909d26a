import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { MemoryLineStore } from '../../src/line/store/memory/memory-line-store.ts';
import { testRoomDefaults } from '../support/rooms.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTestClock } from '../support/test-clock.ts';
import { expectLargeDraw, fixedSecrets } from './large-draw.ts';

it('a draw among 100,000 in memory matches its recomputation and is independent of the order of joining', async () => {
  const clock = createTestClock();
  const log = pino({ level: 'silent' });
  const store = await MemoryLineStore.open({
    dir: tempFolder(),
    defaults: testRoomDefaults(),
    tickMs: 1_000,
    clock,
    log,
    sync: false,
    createSecrets: fixedSecrets,
  });
  onTestFinished(() => store.close());
  await expectLargeDraw(store, clock.now(), (ms) => clock.advance(ms));
  expect((await store.findRoom('large'))?.crowd.waiting).toBe(100_001);
}, 180_000);
