/** Reads topics of Kafka from their start to their current end, as any other consumer would. */
import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { Consumer, stringDeserializers } from '@platformatic/kafka';
import { closeConsumer } from '../../src/records/kafka/kafka-connection.ts';

export interface LogMessage {
  topic: string;
  partition: number;
  offset: number;
  text: string;
}

const LONGEST_MS = 30_000;

/** Empty if the topic does not exist. */
export async function readTopic(address: string, topic: string): Promise<LogMessage[]> {
  const consumer = new Consumer({
    clientId: 'soak',
    bootstrapBrokers: [address],
    groupId: `soak-${randomUUID()}`,
    deserializers: stringDeserializers,
    autocreateTopics: false,
    timeout: 5_000,
    retries: 5,
  });
  try {
    const ends = await findEnds(consumer, topic);
    if (ends.size === 0) return [];
    const stream = await consumer.consume({ topics: [topic], mode: 'earliest', autocommit: false, maxWaitTime: 100 });
    const late = setTimeout(() => stream.destroy(new Error(`reading ${topic} takes too long`)), LONGEST_MS);
    const found: LogMessage[] = [];
    try {
      for await (const { partition, offset, value } of stream) {
        const end = ends.get(partition);
        if (end === undefined || offset > end) continue;
        found.push({ topic, partition, offset: Number(offset), text: value });
        if (offset === end) ends.delete(partition);
        if (ends.size === 0) break;
      }
    } finally {
      clearTimeout(late);
    }
    return found;
  } finally {
    await closeConsumer(consumer);
  }
}

/** The last offset of each partition that has messages. */
async function findEnds(
  consumer: Consumer<string, string, string, string>,
  topic: string,
): Promise<Map<number, bigint>> {
  try {
    const nexts = (await consumer.listOffsets({ topics: [topic] })).get(topic) ?? [];
    return new Map([...nexts.entries()].filter(([, next]) => next > 0n).map(([no, next]) => [no, next - 1n]));
  } catch (error) {
    // The error of the topic is inside that of the request, of its retries and of the call.
    if (inspect(error, { depth: 10 }).includes('UNKNOWN_TOPIC_OR_PARTITION')) return new Map();
    throw error;
  }
}
