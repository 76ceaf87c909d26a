/** Rebuilds statistics from the log. Consumers can keep counting meanwhile: each record counts once. */
import type { Message, RecordLog } from '../records/record-log.ts';
import { topics } from '../records/topics.ts';
import type { StatsStore } from './stats-store.ts';

export interface RebuildOptions {
  store: Pick<StatsStore, 'clear'>;
  log: Pick<RecordLog, 'drain'>;
  /** Handles messages as the group of the statistics. */
  handle: (messages: readonly Message[]) => Promise<void>;
}

/** Returns the number of records read. */
export async function rebuildStats({ store, log, handle }: RebuildOptions): Promise<number> {
  await store.clear();
  return log.drain({ group: undefined, topics, handle });
}
