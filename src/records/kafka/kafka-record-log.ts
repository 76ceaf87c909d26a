/** The record log in Kafka. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type BaseOptions, Consumer, Producer, stringDeserializers, stringSerializers } from '@platformatic/kafka';
import type { Logger } from 'pino';
import { withTimeout } from '../../platform/concurrency/with-timeout.ts';
import type { KafkaConfig } from '../kafka-config.ts';
import type { Consumption, Message, Reading, RecordLog } from '../record-log.ts';
import {
  closeConsumer,
  type KafkaTimeouts,
  RETRY_DELAY_MS,
  SEND_AGAIN_MS,
  TIMEOUTS,
  toBaseOptions,
} from './kafka-connection.ts';
import { drainTopics } from './kafka-drain.ts';
import { findBrokerFault } from './kafka-fault.ts';
import { toSend } from './kafka-message.ts';
import { startKafkaReader } from './kafka-reader.ts';
import { createMissingTopics } from './kafka-topics.ts';

type TextProducer = Producer<string, string, string, string>;

const ALL_REPLICAS = -1;
const CHECK_EVERY_MS = 2_000;
const CLOSE_MS = 2_000;
const LAG_MS = 5_000;

export class KafkaRecordLog implements RecordLog {
  readonly #config: KafkaConfig;
  readonly #connection: BaseOptions;
  readonly #log: Logger;
  readonly #timeouts: KafkaTimeouts;
  readonly #known = new Set<string>();
  #producer: TextProducer | undefined;
  #checked: { at: number; fault: Promise<string | undefined> } | undefined;

  constructor(config: KafkaConfig, log: Logger, timeouts: Partial<KafkaTimeouts> = {}) {
    this.#config = config;
    this.#connection = toBaseOptions(config);
    this.#log = log;
    this.#timeouts = { ...TIMEOUTS, ...timeouts };
  }

  /**
   * Retries failed sends for a while. The client retries when a leader has moved, unless it cannot parse the response: brokers
   * from 3.7 on name the new leader in a tagged field, and the client mistakes the number of tagged fields for their length. A
   * response about several partitions then fails with `Out of bounds.` (1.22.0 to 1.35.0, the newest for Node 20; fixed in 2,
   * which needs Node 22). New topics cause the same response: of 300 sends to new topics, 27 failed.
   */
  async publish(messages: readonly Message[]): Promise<void> {
    if (messages.length === 0) return;
    const tryUntil = performance.now() + SEND_AGAIN_MS;
    await this.#createTopics(messages.map(({ topic }) => topic));
    const sent = messages.map((message) => toSend(message, (topic) => this.#named(topic)));
    for (;;) {
      try {
        return await this.#send(sent);
      } catch (error) {
        if (performance.now() + RETRY_DELAY_MS > tryUntil) throw error;
        this.#log.debug({ err: error }, 'sending records to Kafka failed, retrying');
        await sleep(RETRY_DELAY_MS);
      }
    }
  }

  async #send(messages: ReturnType<typeof toSend>[]): Promise<void> {
    this.#producer ??= new Producer({ ...this.#connection, serializers: stringSerializers });
    const producer = this.#producer;
    try {
      await withTimeout(this.#timeouts.sendMs, producer.send({ messages, acks: ALL_REPLICAS }), 'Kafka');
    } catch (error) {
      // A new producer has fresh connections and metadata.
      if (this.#producer === producer) this.#producer = undefined;
      // A broker that was away may have come back without its topics.
      this.#known.clear();
      // Not awaited: a broker that does not respond does not respond to this either.
      producer.close().catch(() => {});
      throw error;
    }
  }

  consume({ group, topics, handle }: Reading): Consumption {
    return startKafkaReader({
      connection: this.#connection,
      group: this.#nameGroup(group),
      topics: topics.map((topic) => this.#named(topic)),
      handle: (messages) => handle(messages.map((message) => this.#unnamed(message))),
      prepare: () => this.#createTopics(topics),
      log: this.#log,
    });
  }

  async drain({ group, topics, handle }: Omit<Reading, 'group'> & { group: string | undefined }): Promise<number> {
    await this.#createTopics(topics);
    return drainTopics({
      connection: this.#connection,
      group: group === undefined ? undefined : this.#nameGroup(group),
      topics: topics.map((topic) => this.#named(topic)),
      handle: (messages) => handle(messages.map((message) => this.#unnamed(message))),
    });
  }

  prepare(topics: readonly string[]): Promise<void> {
    return this.#createTopics(topics);
  }

  findFault(): Promise<string | undefined> {
    if (this.#checked === undefined || performance.now() - this.#checked.at > CHECK_EVERY_MS) {
      this.#checked = { at: performance.now(), fault: findBrokerFault(this.#connection) };
    }
    return this.#checked.fault;
  }

  async measureLag(group: string, topics: readonly string[]): Promise<Map<string, number>> {
    await this.#createTopics(topics);
    const named = topics.map((topic) => this.#named(topic));
    const consumer = new Consumer({
      ...this.#connection,
      groupId: this.#nameGroup(group),
      deserializers: stringDeserializers,
    });
    try {
      const ends = await withTimeout(LAG_MS, consumer.listOffsets({ topics: named }), 'Kafka');
      const asked = named.map((topic) => ({ topic, partitions: [...ends.get(topic)!.keys()] }));
      const committed = await withTimeout(LAG_MS, consumer.listCommittedOffsets({ topics: asked }), 'Kafka');
      const lagOf = (topic: string) =>
        ends.get(topic)!.reduce((sum, end, partition) => sum + Number(end - committed.get(topic)![partition]! - 1n), 0);
      return new Map(topics.map((topic) => [topic, lagOf(this.#named(topic))]));
    } finally {
      // Not awaited: a broker that does not respond does not respond to this either.
      void closeConsumer(consumer);
    }
  }

  async close(): Promise<void> {
    const producer = this.#producer;
    this.#producer = undefined;
    // A broker that does not respond does not respond to this either. Everything that was acknowledged is there.
    if (producer !== undefined) await withTimeout(CLOSE_MS, producer.close(), 'Kafka').catch(() => {});
  }

  async #createTopics(topics: readonly string[]): Promise<void> {
    const unknown = [...new Set(topics)].filter((topic) => !this.#known.has(topic));
    if (unknown.length === 0) return;
    const named = unknown.map((topic) => this.#named(topic));
    await createMissingTopics(this.#connection, named, this.#config.replicationFactor, this.#timeouts.topicsMs);
    for (const topic of unknown) this.#known.add(topic);
  }

  #named(name: string): string {
    return this.#config.prefix + name;
  }

  #nameGroup(group: string): string {
    return (this.#config.groupPrefix ?? this.#config.prefix) + group;
  }

  #unnamed(message: Message): Message {
    return { ...message, topic: message.topic.slice(this.#config.prefix.length) };
  }
}
