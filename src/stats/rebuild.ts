/**
 * Makes the statistics anew from the log. Whoever counts meanwhile may go on: each record counts once, whoever comes to
 * it first.
 */
import type { Message, RecordLog } from '../records/record-log.ts';
import { topics } from '../records/topics.ts';
import type { StatsStore } from './stats-store.ts';

export interface RebuildOptions {
  store: Pick<StatsStore, 'clear'>;
  log: Pick<RecordLog, 'drain'>;
  /** As the group that counts. */
  handle: (message: Message) => Promise<void>;
}

/** How many records it read. */
export async function rebuildStats({ store, log, handle }: RebuildOptions): Promise<number> {
  await store.clear();
  return log.drain({ group: undefined, topics, handle });
}
