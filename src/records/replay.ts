/** Publishes dead letters to their original topics again, after the cause of the failure was fixed. */
import { readDeadLetter } from './dead-letter.ts';
import type { RecordLog } from './record-log.ts';
import { deadTopicOf } from './topics.ts';

/** Keeps the position, so that a message is replayed once. */
const GROUP = 'fairline-replay';

/**
 * Returns the number of replayed messages. Every group receives them; a group that has processed one ignores it. A message that
 * fails again becomes a dead letter again.
 */
export async function replayDead(
  log: Pick<RecordLog, 'drain' | 'publish'>,
  topics: readonly string[],
): Promise<number> {
  let count = 0;
  await log.drain({
    group: GROUP,
    topics: topics.map(deadTopicOf),
    handle: async (letters) => {
      const messages = letters.flatMap(({ value }) => readDeadLetter(value) ?? []);
      await log.publish(messages);
      count += messages.length;
    },
  });
  return count;
}
