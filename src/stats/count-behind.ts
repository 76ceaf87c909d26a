/** How far the statistics are behind: records in the outbox, and records in the log that were not counted yet. */
import type { Outbox } from '../records/outbox.ts';
import type { RecordLog } from '../records/record-log.ts';
import { topics } from '../records/topics.ts';
import { STATS_GROUP } from './count-records.ts';

export async function countBehind(
  outbox: Pick<Outbox, 'measure'>,
  log: Pick<RecordLog, 'measureLag'>,
): Promise<number> {
  const [{ waiting }, lag] = await Promise.all([outbox.measure(), log.measureLag(STATS_GROUP, topics)]);
  return [...lag.values()].reduce((sum, count) => sum + count, waiting);
}
