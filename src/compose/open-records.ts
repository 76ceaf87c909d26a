/** Records: where they are kept, who carries them, and who reads them. */
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { RecordsConfig } from '../config/records-settings.ts';
import { type ChainOptions, createTicketChain, TICKET_GROUP, TICKET_TOPICS } from '../payments/after-payment.ts';
import type { Clock } from '../platform/clock.ts';
import type { LazyDatabase } from '../platform/database/lazy-database.ts';
import type { Tracing } from '../platform/tracing/tracing.ts';
import type { Append } from '../records/append.ts';
import type { ClusterSurvey } from '../records/cluster-survey.ts';
import { createConsumer } from '../records/consumer.ts';
import type { Handling } from '../records/handling.ts';
import type { KafkaConfig } from '../records/kafka-config.ts';
import { createEffects } from '../records/postgres/postgres-effects.ts';
import { PostgresOutbox } from '../records/postgres/postgres-outbox.ts';
import { PostgresRecordLog } from '../records/postgres/postgres-record-log.ts';
import type { Consumption, Message, RecordLog } from '../records/record-log.ts';
import { createRecordsMetrics } from '../records/records-metrics.ts';
import { runRelayOnce } from '../records/relay.ts';
import { topics } from '../records/topics.ts';
import { createTraceMessage } from '../records/trace-message.ts';
import { createRecordCounter, STATS_GROUP } from '../stats/count-records.ts';
import { createStatsStore } from '../stats/postgres/postgres-stats-store.ts';
import { rebuildStats } from '../stats/rebuild.ts';
import type { StatsStore } from '../stats/stats-store.ts';
import { TrafficCounter } from '../stats/traffic.ts';

export interface Records {
  log: RecordLog;
  stats: StatsStore;
  traffic: TrafficCounter;
  /** One pass of the role `relay`. */
  relay(): Promise<'done' | 'again'>;
  /** One pass of telling how many came and were let in. */
  tellTraffic(): Promise<'done'>;
  /** The roles `chain` and `stats`. */
  startGroup(name: 'chain' | 'stats'): Consumption;
  /** How many records are not in the statistics yet. */
  countBehind(): Promise<number>;
  rebuildStats(): Promise<number>;
  close(): Promise<void>;
}

export interface RecordsOptions {
  config: RecordsConfig;
  database: LazyDatabase;
  chain: Omit<ChainOptions, 'append'>;
  append: Append;
  registry: Registry;
  /** undefined: no traces are made. */
  tracing: Tracing | undefined;
  clock: Clock;
  log: Logger;
}

interface Group {
  group: string;
  topics: readonly string[];
  handling: Handling;
}

export async function openRecords(options: RecordsOptions): Promise<Records> {
  const { config, database, chain, append, registry, tracing, clock, log } = options;
  const stopping = new AbortController();
  const recordLog = await openLog(options);
  const outbox = new PostgresOutbox(database);
  const effects = createEffects(database);
  const stats = createStatsStore({ database, timeZone: config.timeZone, group: STATS_GROUP });
  const traffic = new TrafficCounter();
  const groups: Record<'chain' | 'stats', Group> = {
    chain: { group: TICKET_GROUP, topics: TICKET_TOPICS, handling: createTicketChain({ ...chain, append }) },
    stats: { group: STATS_GROUP, topics, handling: createRecordCounter(stats) },
  };
  const started = new Map<string, readonly string[]>();
  let isRelay = false;
  const hasPart = () => isRelay || started.size > 0;
  const metrics = createRecordsMetrics({ registry, outbox, log: recordLog, groups: started, hasPart });

  const system = config.kafka === undefined ? 'postgresql' : 'kafka';
  const traceSending = createTraceMessage(tracing, { operation: 'send', system });

  function handlerOf({ group, handling }: Group, isTraced = true): (messages: readonly Message[]) => Promise<void> {
    const { tries, retryMs } = config;
    const onHandled = (outcome: Parameters<typeof metrics.countHandled>[1]) => metrics.countHandled(group, outcome);
    return createConsumer({
      group,
      handling,
      effects,
      tries,
      retryMs,
      clock,
      log,
      onHandled,
      traceMessage: isTraced ? createTraceMessage(tracing, { operation: 'process', system, group }) : undefined,
      stopping: stopping.signal,
    });
  }

  return {
    log: recordLog,
    stats,
    traffic,
    relay() {
      isRelay = true;
      const onRelayed = (count: number) => metrics.countRelayed(count);
      return runRelayOnce({ outbox, log: recordLog, onRelayed, traceMessage: traceSending });
    },
    async tellTraffic() {
      await traffic.tell({ database, append, clock });
      return 'done';
    },
    startGroup(name) {
      const { group, topics: read } = groups[name];
      started.set(group, read);
      const consumption = recordLog.consume({ group, topics: read, handle: handlerOf(groups[name]) });
      return {
        async stop() {
          stopping.abort();
          await consumption.stop();
        },
      };
    },
    async countBehind() {
      const [{ waiting }, lag] = await Promise.all([outbox.measure(), recordLog.measureLag(STATS_GROUP, topics)]);
      return [...lag.values()].reduce((sum, count) => sum + count, waiting);
    },
    // What happened long ago is no news of its trace.
    rebuildStats: () => rebuildStats({ store: stats, log: recordLog, handle: handlerOf(groups.stats, false) }),
    close: () => recordLog.close(),
  };
}

/** What there is of the cluster, and of these topics. */
export async function surveyKafka(kafka: KafkaConfig, topics: readonly string[]): Promise<ClusterSurvey> {
  const { surveyCluster } = await import('../records/kafka/kafka-survey.ts');
  return surveyCluster(kafka, topics);
}

/** Kafka is loaded only where it is used. */
async function openLog({ config, database, log }: RecordsOptions): Promise<RecordLog> {
  if (config.kafka === undefined) return new PostgresRecordLog({ database, pollMs: config.pollMs, log });
  const { KafkaRecordLog } = await import('../records/kafka/kafka-record-log.ts');
  return new KafkaRecordLog(config.kafka, log);
}
