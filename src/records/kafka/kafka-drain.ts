/** Reads topics from the start, or from where a group is, to where they end now. */
import { randomUUID } from 'node:crypto';
import { type BaseOptions, Consumer, stringDeserializers } from '@platformatic/kafka';
import type { Message, Reading } from '../record-log.ts';
import { closeConsumer } from './kafka-connection.ts';

export interface DrainOptions extends Omit<Reading, 'group'> {
  connection: BaseOptions;
  group: string | undefined;
}

export async function drainTopics({ connection, group, topics, handle }: DrainOptions): Promise<number> {
  // Without a group of its own nothing is committed, and so nothing is left behind but a name that Kafka forgets.
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
    const stream = await consumer.consume({
      topics: [...topics],
      mode: 'committed',
      fallbackMode: 'earliest',
      autocommit: false,
      maxWaitTime: 100,
    });
    for await (const message of stream) {
      const name = `${message.topic}:${message.partition}`;
      const last = unread.get(name);
      if (last === undefined || message.offset > last) continue;
      await handle(toMessage(message));
      count += 1;
      if (group !== undefined) await message.commit();
      if (message.offset === last) unread.delete(name);
      if (unread.size === 0) break;
    }
    return count;
  } finally {
    await closeConsumer(consumer);
  }
}

/** The last offset to be read of each partition that has something to read. */
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

function toMessage({ topic, key, value }: Message): Message {
  return { topic, key, value };
}
