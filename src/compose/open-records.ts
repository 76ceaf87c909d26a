/** The record log, its outbox, and the consumer groups of a process. */
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { RecordsConfig } from '../config/records-settings.ts';
import {
  AFTER_PAYMENT_GROUP,
  AFTER_PAYMENT_TOPICS,
  type AfterPaymentOptions,
  createAfterPayment,
} from '../payments/after-payment.ts';
import type { Clock } from '../platform/clock.ts';
import type { PassOutcome } from '../platform/concurrency/loop.ts';
import type { LazyDatabase } from '../platform/database/lazy-database.ts';
import type { Tracing } from '../platform/tracing/tracing.ts';
import type { Append } from '../records/append.ts';
import type { ClusterSurvey } from '../records/cluster-survey.ts';
import { type ConsumerGroup, ConsumerGroups } from '../records/consumer-groups.ts';
import type { KafkaConfig } from '../records/kafka-config.ts';
import { createEffects } from '../records/postgres/postgres-effects.ts';
import { PostgresOutbox } from '../records/postgres/postgres-outbox.ts';
import { PostgresRecordLog } from '../records/postgres/postgres-record-log.ts';
import type { Consumption, RecordLog } from '../records/record-log.ts';
import { createRecordsMetrics, type RecordsMetrics } from '../records/records-metrics.ts';
import { runRelayOnce } from '../records/relay.ts';
import { toFlatMessage } from '../records/to-flat-message.ts';
import { topics } from '../records/topics.ts';
import { createTraceMessage } from '../records/trace-message.ts';
import { countBehind } from '../stats/count-behind.ts';
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
  relay(): Promise<PassOutcome>;
  /** One pass of the loop that appends the counted joins and admissions. */
  tellTraffic(): Promise<'done'>;
  /** Starts the role `chain` or `stats`. */
  startGroup(name: 'chain' | 'stats'): Consumption;
  /** The number of records that the statistics do not include yet. */
  countBehind(): Promise<number>;
  rebuildStats(): Promise<number>;
  close(): Promise<void>;
}

export interface RecordsOptions {
  config: RecordsConfig;
  database: LazyDatabase;
  afterPayment: Omit<AfterPaymentOptions, 'append'>;
  append: Append;
  registry: Registry;
  /** undefined: tracing is off. */
  tracing: Tracing | undefined;
  clock: Clock;
  log: Logger;
}

export async function openRecords(options: RecordsOptions): Promise<Records> {
  const { config, database, afterPayment, append, registry, tracing, clock, log } = options;
  const recordLog = await openLog(options);
  const outbox = new PostgresOutbox(database);
  const stats = createStatsStore({ database, timeZone: config.timeZone, group: STATS_GROUP });
  const traffic = new TrafficCounter();
  const handling = createAfterPayment({ ...afterPayment, append });
  const groups: Record<'chain' | 'stats', ConsumerGroup> = {
    chain: { group: AFTER_PAYMENT_GROUP, topics: AFTER_PAYMENT_TOPICS, handling },
    stats: { group: STATS_GROUP, topics, handling: createRecordCounter(stats) },
  };
  const system = config.kafka === undefined ? 'postgresql' : 'kafka';
  const consumers = new ConsumerGroups({
    ...{ recordLog, effects: createEffects(database), tracing, system, clock, log },
    tries: config.tries,
    retryMs: config.retryMs,
    onHandled: (group, outcome) => metrics.countHandled(group, outcome),
  });
  let isRelay = false;
  const metrics: RecordsMetrics = createRecordsMetrics({
    ...{ registry, outbox, log: recordLog, groups: consumers.started },
    isInvolved: () => isRelay || consumers.started.size > 0,
  });
  const traceMessage = createTraceMessage(tracing, { operation: 'send', system });
  const format = config.format === 'flat' ? toFlatMessage : undefined;
  const onRelayed = (count: number) => metrics.countRelayed(count);
  const replayStats = consumers.createReplayHandler(groups.stats);

  return {
    log: recordLog,
    stats,
    traffic,
    relay() {
      isRelay = true;
      return runRelayOnce({ outbox, log: recordLog, onRelayed, format, traceMessage });
    },
    async tellTraffic() {
      await traffic.tell({ database, append, clock });
      return 'done';
    },
    startGroup: (name) => consumers.start(groups[name]),
    countBehind: () => countBehind(outbox, recordLog),
    rebuildStats: () => rebuildStats({ store: stats, log: recordLog, handle: replayStats }),
    close: () => recordLog.close(),
  };
}

/** The state of the cluster and of these topics. */
export async function surveyKafka(kafka: KafkaConfig, topics: readonly string[]): Promise<ClusterSurvey> {
  const { surveyCluster } = await import('../records/kafka/kafka-survey.ts');
  return surveyCluster(kafka, topics);
}

/** Loads Kafka only if it is configured. */
async function openLog({ config, database, log }: RecordsOptions): Promise<RecordLog> {
  if (config.kafka === undefined) return new PostgresRecordLog({ database, pollMs: config.pollMs, log });
  const { KafkaRecordLog } = await import('../records/kafka/kafka-record-log.ts');
  return new KafkaRecordLog(config.kafka, log);
}
