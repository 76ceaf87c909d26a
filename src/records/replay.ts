/** Puts messages that were put aside back where they came from: for when what made them fail has been mended. */
import { readDeadLetter } from './dead-letter.ts';
import type { RecordLog } from './record-log.ts';
import { deadTopicOf } from './topics.ts';

/** Remembers how far it came, so that what was put back once is not put back again. */
const GROUP = 'fairline-replay';

/**
 * How many it put back. All groups get them; those that had their effect of one know it. One that fails again is put
 * aside again.
 */
export async function replayDead(
  log: Pick<RecordLog, 'drain' | 'publish'>,
  topics: readonly string[],
): Promise<number> {
  let count = 0;
  await log.drain({
    group: GROUP,
    topics: topics.map(deadTopicOf),
    handle: async ({ value }) => {
      const message = readDeadLetter(value);
      if (message === undefined) return;
      await log.publish([message]);
      count += 1;
    },
  });
  return count;
}
