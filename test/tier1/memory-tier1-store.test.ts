import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MemoryTier1Store } from '../../src/tier1/store/memory/memory-tier1-store.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTestClock } from '../support/test-clock.ts';
import { describeTier1Store, switchOn } from './tier1-store-contract.ts';

const log = pino({ level: 'silent' });

describeTier1Store('the memory store', () => {
  const clock = createTestClock();
  return {
    async open() {
      const store = await MemoryTier1Store.open({ dir: tempFolder(), clock, log });
      onTestFinished(() => store.close());
      return store;
    },
    advance: (ms) => clock.advance(ms),
  };
});

describe('the memory store, opened again', () => {
  it.each([
    ['from its journal', 1_000_000],
    ['from a snapshot', 1],
  ])('knows every position and where it stood, %s', async (_, compactAboveBytes) => {
    const options = { dir: tempFolder(), clock: createTestClock(), log, compactAboveBytes };
    const store = await MemoryTier1Store.open(options);
    await switchOn(store, 10);
    for (const device of ['a', 'b', 'c', 'd']) await store.assign('concert', [device]);
    await store.advanceTo('concert', 12);
    await store.release('concert', 'b', 12);
    const before = await store.findCounters('concert');
    await store.close();

    const again = await MemoryTier1Store.open(options);
    onTestFinished(() => again.close());
    expect(await again.findCounters('concert')).toEqual(before);
    expect(await again.assign('concert', ['d', 'c', 'b', 'a'])).toMatchObject({ positions: [14, 13, 15, 11] });
  });
});
