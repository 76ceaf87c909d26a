/** Records on a suite's database, with the log in it or in Kafka; relayed and consumed when the test says so. */
import { sql } from 'kysely';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { Tracing } from '../../src/platform/tracing/tracing.ts';
import { createConsumer } from '../../src/records/consumer.ts';
import { type Handlers, type Handling, handleEach } from '../../src/records/handling.ts';
import { KafkaRecordLog } from '../../src/records/kafka/kafka-record-log.ts';
import type { KafkaConfig } from '../../src/records/kafka-config.ts';
import { createAppend } from '../../src/records/postgres/append.ts';
import { createEffects } from '../../src/records/postgres/postgres-effects.ts';
import { PostgresOutbox } from '../../src/records/postgres/postgres-outbox.ts';
import { PostgresRecordLog } from '../../src/records/postgres/postgres-record-log.ts';
import type { Message, RecordLog } from '../../src/records/record-log.ts';
import type { RecordsFormat } from '../../src/records/records-format.ts';
import { runRelayOnce } from '../../src/records/relay.ts';
import { toFlatMessage } from '../../src/records/to-flat-message.ts';
import { topics } from '../../src/records/topics.ts';
import { createTraceMessage } from '../../src/records/trace-message.ts';
import type { SuiteDatabase } from '../support/databases.ts';
import { createTestClock } from '../support/test-clock.ts';
import { until } from '../support/until.ts';

const silent = pino({ level: 'silent' });
let count = 0;

export interface Publishing {
  /** Read before each pass of the relay. */
  format?: RecordsFormat;
  /** Prefix of the groups of this fixture in Kafka, if it is not that of its topics. */
  groupPrefix?: string;
}

/** `kafka`: a broker. Each fixture has its own topics there; in a database it starts empty. */
export async function createRecords(
  suite: SuiteDatabase,
  kafka?: string,
  tracing?: Tracing,
  publishing: Publishing = {},
) {
  await sql`truncate outbox, record_log, record_partitions, record_positions, processed_events`.execute(suite.db);
  count += 1;
  const prefix = `t${process.pid}-${count}-`;
  const log: RecordLog =
    kafka === undefined
      ? new PostgresRecordLog({ database: suite.lazy, pollMs: 10, log: silent })
      : new KafkaRecordLog(toKafkaConfig(kafka, prefix, publishing.groupPrefix), silent);
  onTestFinished(() => log.close());
  const outbox = new PostgresOutbox(suite.lazy);
  const effects = createEffects(suite.lazy);
  const clock = createTestClock();
  const append = createAppend(tracing && (() => tracing.inject()));
  const system = kafka === undefined ? 'postgresql' : 'kafka';
  const traceMessage = createTraceMessage(tracing, { operation: 'send', system });

  async function relayAll(): Promise<void> {
    const format = publishing.format === 'flat' ? toFlatMessage : undefined;
    while ((await runRelayOnce({ outbox, log, format, traceMessage })) === 'again');
  }

  /** Relays and consumes everything that waits, including the records that follow from it. */
  async function settle(groups: readonly { group: string; topics?: readonly string[] }[]): Promise<void> {
    await until('all records to be read', async () => {
      await relayAll();
      for (const { group, topics: read = topics } of groups) {
        const lag = await log.measureLag(group, read);
        if ([...lag.values()].some((behind) => behind > 0)) return false;
      }
      return (await outbox.measure()).waiting === 0;
    });
  }

  function consumerOf(
    group: string,
    does: Handlers | Handling,
    { retryMs = 1, stopping = new AbortController().signal } = {},
  ) {
    const handling = 'handles' in does ? does : handleEach(does);
    return createConsumer({
      ...{ group, handling, effects, tries: 3, retryMs, clock, log: silent, stopping },
      traceMessage: createTraceMessage(tracing, { operation: 'process', system, group }),
    });
  }

  function start(group: string, does: Handlers | Handling, read: readonly string[] = topics, retryMs = 1) {
    const stopping = new AbortController();
    const handle = consumerOf(group, does, { retryMs, stopping: stopping.signal });
    const consumption = log.consume({ group, topics: read, handle });
    const stop = async () => {
      stopping.abort();
      await consumption.stop();
    };
    onTestFinished(stop);
    return { stop, handle };
  }

  /** All messages, from the start. */
  async function readAll(read: readonly string[] = topics): Promise<Message[]> {
    const messages: Message[] = [];
    await log.drain({
      group: undefined,
      topics: read,
      handle: async (more) => {
        messages.push(...more);
      },
    });
    return messages;
  }
  return { suite, prefix, log, outbox, effects, clock, append, relayAll, settle, consumerOf, start, readAll };
}

export function toKafkaConfig(broker: string, prefix: string, groupPrefix?: string): KafkaConfig {
  return { brokers: [broker], tls: undefined, sasl: undefined, replicationFactor: 1, prefix, groupPrefix };
}

/** A record to append; `no` is its number of joins. */
export const traffic = (eventId: string, no: number) => ({
  type: 'TRAFFIC_COUNTED' as const,
  at: new Date(Date.UTC(2026, 0, 1)),
  payload: { eventId, joined: no, admitted: 0 },
});
