/** The log in Kafka. */
import { type BaseOptions, Consumer, Producer, stringDeserializers, stringSerializers } from '@platformatic/kafka';
import type { Logger } from 'pino';
import type { KafkaConfig } from '../kafka-config.ts';
import type { Consumption, Message, Reading, RecordLog } from '../record-log.ts';
import { closeConsumer, toBaseOptions } from './kafka-connection.ts';
import { drainTopics } from './kafka-drain.ts';
import { startKafkaReader } from './kafka-reader.ts';
import { createMissingTopics } from './kafka-topics.ts';

type TextProducer = Producer<string, string, string, string>;

const ALL_REPLICAS = -1;

export class KafkaRecordLog implements RecordLog {
  readonly #config: KafkaConfig;
  readonly #connection: BaseOptions;
  readonly #log: Logger;
  readonly #known = new Set<string>();
  #producer: TextProducer | undefined;

  constructor(config: KafkaConfig, log: Logger) {
    this.#config = config;
    this.#connection = toBaseOptions(config);
    this.#log = log;
  }

  async publish(messages: readonly Message[]): Promise<void> {
    if (messages.length === 0) return;
    await this.#createTopics(messages.map(({ topic }) => topic));
    this.#producer ??= new Producer({ ...this.#connection, serializers: stringSerializers });
    try {
      const named = messages.map(({ topic, key, value }) => ({ topic: this.#named(topic), key, value }));
      await this.#producer.send({ messages: named, acks: ALL_REPLICAS });
    } catch (error) {
      // Whatever is wrong with its connections, the next one has new ones.
      const broken = this.#producer;
      this.#producer = undefined;
      await broken.close().catch(() => {});
      throw error;
    }
  }

  consume({ group, topics, handle }: Reading): Consumption {
    return startKafkaReader({
      connection: this.#connection,
      group: this.#named(group),
      topics: topics.map((topic) => this.#named(topic)),
      handle: (message) => handle(this.#unnamed(message)),
      prepare: () => this.#createTopics(topics),
      log: this.#log,
    });
  }

  async drain({ group, topics, handle }: Omit<Reading, 'group'> & { group: string | undefined }): Promise<number> {
    await this.#createTopics(topics);
    return drainTopics({
      connection: this.#connection,
      group: group === undefined ? undefined : this.#named(group),
      topics: topics.map((topic) => this.#named(topic)),
      handle: (message) => handle(this.#unnamed(message)),
    });
  }

  async measureLag(group: string, topics: readonly string[]): Promise<Map<string, number>> {
    await this.#createTopics(topics);
    const named = topics.map((topic) => this.#named(topic));
    const consumer = new Consumer({
      ...this.#connection,
      groupId: this.#named(group),
      deserializers: stringDeserializers,
    });
    try {
      const ends = await consumer.listOffsets({ topics: named });
      const committed = await consumer.listCommittedOffsets({
        topics: named.map((topic) => ({ topic, partitions: [...ends.get(topic)!.keys()] })),
      });
      const lagOf = (topic: string) =>
        ends.get(topic)!.reduce((sum, end, partition) => sum + Number(end - committed.get(topic)![partition]! - 1n), 0);
      return new Map(topics.map((topic) => [topic, lagOf(this.#named(topic))]));
    } finally {
      await closeConsumer(consumer);
    }
  }

  async close(): Promise<void> {
    await this.#producer?.close();
    this.#producer = undefined;
  }

  async #createTopics(topics: readonly string[]): Promise<void> {
    const unknown = [...new Set(topics)].filter((topic) => !this.#known.has(topic));
    if (unknown.length === 0) return;
    const named = unknown.map((topic) => this.#named(topic));
    await createMissingTopics(this.#connection, named, this.#config.replicationFactor);
    for (const topic of unknown) this.#known.add(topic);
  }

  #named(name: string): string {
    return this.#config.prefix + name;
  }

  #unnamed(message: Message): Message {
    return { ...message, topic: message.topic.slice(this.#config.prefix.length) };
  }
}
