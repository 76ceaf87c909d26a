/** Reads topics to their current end, from the start or from the position of a group. */
import { randomUUID } from 'node:crypto';
import { type BaseOptions, Consumer, stringDeserializers } from '@platformatic/kafka';
import { MAX_BATCH, type Reading } from '../record-log.ts';
import { closeConsumer } from './kafka-connection.ts';
import { type TextMessage, toMessage } from './kafka-message.ts';

export interface DrainOptions extends Omit<Reading, 'group'> {
  connection: BaseOptions;
  group: string | undefined;
}

export async function drainTopics({ connection, group, topics, handle }: DrainOptions): Promise<number> {
  // The client needs a group id. Nothing is committed for this one, and Kafka forgets it.
  const groupId = group ?? `fairline-drain-${randomUUID()}`;
  const consumer: Consumer<string, string, string, string> = new Consumer({
    ...connection,
    groupId,
    deserializers: stringDeserializers,
  });
  try {
    const unread = await findUnread(consumer, topics, group !== undefined);
    if (unread.size === 0) return 0;
    let count = 0;
    let waiting: TextMessage[] = [];
    const stream = await consumer.consume({
      topics: [...topics],
      mode: 'committed',
      fallbackMode: 'earliest',
      autocommit: false,
      maxWaitTime: 100,
    });
    for await (const message of stream) {
      const name = nameOf(message);
      const last = unread.get(name);
      if (last === undefined || message.offset > last) continue;
      waiting.push(message);
      if (message.offset === last) unread.delete(name);
      if (waiting.length < MAX_BATCH && unread.size > 0) continue;
      await handle(waiting.map(toMessage));
      count += waiting.length;
      if (group !== undefined) for (const { commit } of lastOfEach(waiting)) await commit();
      if (unread.size === 0) break;
      waiting = [];
    }
    return count;
  } finally {
    await closeConsumer(consumer);
  }
}

/** The last offset to read of each partition with unread messages. */
async function findUnread(
  consumer: Consumer<string, string, string, string>,
  topics: readonly string[],
  hasGroup: boolean,
): Promise<Map<string, bigint>> {
  const ends = await consumer.listOffsets({ topics: [...topics] });
  const partitionsOf = (topic: string) => [...ends.get(topic)!.keys()];
  const committed = hasGroup
    ? await consumer.listCommittedOffsets({
        topics: topics.map((topic) => ({ topic, partitions: partitionsOf(topic) })),
      })
    : undefined;
  const unread = new Map<string, bigint>();
  for (const topic of topics) {
    for (const [partition, end] of ends.get(topic)!.entries()) {
      const read = committed?.get(topic)?.[partition] ?? -1n;
      if (end - 1n > read) unread.set(`${topic}:${partition}`, end - 1n);
    }
  }
  return unread;
}

const nameOf = ({ topic, partition }: TextMessage) => `${topic}:${partition}`;

/** The last message of each partition. */
function lastOfEach(messages: readonly TextMessage[]): TextMessage[] {
  return [...new Map(messages.map((message) => [nameOf(message), message])).values()];
}
