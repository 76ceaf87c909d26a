/**
 * A member of a consumer group. Handles the messages of a partition in order, and different partitions in parallel. When the
 * connection, the group or the broker fails, it starts again from the committed offsets; consumers ignore records that they
 * have processed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type BaseOptions, Consumer, type MessagesStream, stringDeserializers } from '@platformatic/kafka';
import type { Logger } from 'pino';
import { type Consumption, MAX_BATCH, type Message, type Reading } from '../record-log.ts';
import { closeConsumer } from './kafka-connection.ts';
import { toMessage } from './kafka-message.ts';
import { KafkaOffsets } from './kafka-offsets.ts';
import { PartitionQueues } from './partition-queues.ts';

export interface KafkaReaderOptions extends Reading {
  connection: BaseOptions;
  /** Creates missing topics. */
  prepare: () => Promise<void>;
  log: Logger;
}

/** A member without heartbeats for this long loses its partitions to another. */
const SESSION_TIMEOUT_MS = 6_000;
const REBALANCE_TIMEOUT_MS = 15_000;
const HEARTBEAT_MS = 1_000;
/** How long a broker waits for new messages before it responds with none. */
const LONGEST_WAIT_MS = 250;
const PAUSE_MS = 500;
/** The most messages that were read and not handled yet. */
const MOST_UNDER_WAY = 1_000;

interface Fetched {
  topic: string;
  partition: number;
  offset: bigint;
  message: Message;
}

type TextConsumer = Consumer<string, string, string, string>;
type TextStream = MessagesStream<string, string, string, string>;

export function startKafkaReader({ connection, group, topics, handle, prepare, log }: KafkaReaderOptions): Consumption {
  const stopping = new AbortController();
  let stream: TextStream | undefined;
  let lastFault: string | undefined;
  const finished = run();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await prepare();
        await attend();
      } catch (error) {
        note(error as Error);
      }
      await sleep(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  /** A fault that lasts is logged once as a warning, not with every attempt. */
  function note(error: Error): void {
    const level = error.message === lastFault ? 'debug' : 'warn';
    lastFault = error.message;
    log[level]({ err: error, group }, 'reading from Kafka failed, restarting');
  }

  /** From joining the group to leaving it. */
  async function attend(): Promise<void> {
    const consumer: TextConsumer = new Consumer({ ...connection, groupId: group, deserializers: stringDeserializers });
    // The failing call rejects with the same error.
    consumer.on('error', () => {});
    const offsets = new KafkaOffsets(consumer, log);
    const queues = new PartitionQueues<Fetched>({
      most: MOST_UNDER_WAY,
      together: MAX_BATCH,
      handle: handleUntilDone,
      onHandled: ({ topic, partition, offset }) => offsets.note({ topic, partition, offset }),
    });
    try {
      stream = await consumer.consume({
        topics: [...topics],
        mode: 'committed',
        fallbackMode: 'earliest',
        autocommit: false,
        sessionTimeout: SESSION_TIMEOUT_MS,
        rebalanceTimeout: REBALANCE_TIMEOUT_MS,
        heartbeatInterval: HEARTBEAT_MS,
        maxWaitTime: LONGEST_WAIT_MS,
      });
      if (stopping.signal.aborted) return;
      lastFault = undefined;
      for await (const fetched of stream) {
        if (stopping.signal.aborted) break;
        const { topic, partition, offset } = fetched;
        await queues.add({ topic, partition, offset, message: toMessage(fetched) });
      }
    } finally {
      stream = undefined;
      await queues.stop();
      await offsets.settle();
      await closeConsumer(consumer);
    }
  }

  /** Retries until the batch is handled: no later message of its partition may overtake it. */
  async function handleUntilDone(fetched: readonly Fetched[]): Promise<boolean> {
    const messages = fetched.map(({ message }) => message);
    while (!stopping.signal.aborted) {
      try {
        await handle(messages);
        return true;
      } catch (error) {
        log.error({ err: error, group, topic: messages[0]!.topic }, 'handling records failed, retrying');
        await sleep(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
    return false;
  }

  return {
    async stop() {
      stopping.abort();
      stream?.destroy();
      await finished;
    },
  };
}
