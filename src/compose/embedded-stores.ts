/** The embedded stores: in this process and in DATA_DIR, which is locked against a second process. */
import { join } from 'node:path';
import { openMemoryAccessStore } from '../gate/access/memory/memory-access-store.ts';
import { MemoryLineStore } from '../line/store/memory/memory-line-store.ts';
import { createMemoryLotSources } from '../line/store/memory/memory-lot-sources.ts';
import { LocalAdmissionFeed } from '../live/feed/local-admission-feed.ts';
import { lockFolder } from '../platform/journal/folder-lock.ts';
import { MemoryTier1Store } from '../tier1/store/memory/memory-tier1-store.ts';
import type { Stores, StoresOptions } from './stores.ts';

export async function openEmbeddedStores({ config, log, clock }: StoresOptions): Promise<Stores> {
  const unlock = lockFolder(config.dataDir);
  const store = await MemoryLineStore.open({
    dir: join(config.dataDir, 'line'),
    defaults: config.line.roomDefaults,
    tickMs: config.line.admissionIntervalMs,
    sync: config.line.journalSync,
    clock,
    log,
  });
  const tier1 = await MemoryTier1Store.open({
    dir: join(config.dataDir, 'vwr'),
    sync: config.line.journalSync,
    clock,
    log,
  });
  const feed = new LocalAdmissionFeed();
  const access = await openMemoryAccessStore(config.dataDir, clock);
  return {
    store,
    tier1,
    lotSources: createMemoryLotSources(),
    access,
    visits: store,
    forgetPlace() {},
    feed,
    onAdmitted: (eventId, visitors) => feed.announce(eventId, visitors),
    delivery: undefined,
    async close() {
      await store.close();
      await tier1.close();
      await access.close();
      unlock();
    },
  };
}
