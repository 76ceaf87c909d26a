import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { MemoryLineStore } from '../../src/line/store/memory/memory-line-store.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTestClock } from '../support/test-clock.ts';
import { describeClaimSale } from './claim-sale.ts';
import { describeDraws } from './draw-contract.ts';
import { describeLineStore, type StoreHarness } from './line-store-contract.ts';

function createHarness(): StoreHarness {
  const clock = createTestClock();
  return {
    async open(defaults) {
      const log = pino({ level: 'silent' });
      const store = await MemoryLineStore.open({ dir: tempFolder(), defaults, tickMs: 1_000, clock, log });
      onTestFinished(() => store.close());
      return store;
    },
    async advance(ms) {
      clock.advance(ms);
    },
  };
}

describeLineStore('the memory store', createHarness);
describeClaimSale('the memory store', createHarness);
describeDraws('the memory store', createHarness);
