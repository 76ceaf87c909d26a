/** Checks Kafka: connection, brokers, topics, partitions, replicas. */
import type { ClusterSurvey, TopicSurvey } from '../records/cluster-survey.ts';
import type { RecordsFormat } from '../records/records-format.ts';
import { PARTITIONS, topics } from '../records/topics.ts';
import { type Check, ok, problem, warning } from './check.ts';

export interface KafkaCheckOptions {
  prefix: string;
  groupPrefix?: string | undefined;
  format?: RecordsFormat;
  replicationFactor: number;
  survey: (topics: readonly string[]) => Promise<ClusterSurvey>;
}

export async function checkKafka(options: KafkaCheckOptions): Promise<Check[]> {
  const { prefix, groupPrefix, format, replicationFactor, survey } = options;
  let found: ClusterSurvey;
  try {
    found = await survey(topics);
  } catch (error) {
    const advice = 'check KAFKA_BROKERS, KAFKA_TLS and KAFKA_SASL_*, and that the brokers are reachable from here';
    return [problem('Kafka', (error as Error).message, advice)];
  }
  const missing = topics.filter((topic) => !found.topics.has(topic)).map((topic) => prefix + topic);
  const there = [...found.topics].map(([topic, survey]) => checkTopic(prefix + topic, survey, replicationFactor));
  return [
    checkBrokers(found.brokers, replicationFactor),
    ...(missing.length === 0 ? [] : [checkMissing(missing, replicationFactor)]),
    ...there,
    ...(format === 'flat' && groupPrefix === undefined ? [warnOfSharedGroups()] : []),
  ];
}

function warnOfSharedGroups(): Check {
  const advice =
    'set KAFKA_GROUP_PREFIX, for example to fairline-: members of one group share the messages, so each system misses some';
  return warning('Kafka groups', 'RECORDS_FORMAT=flat, and the groups have the same names as those of URR', advice);
}

function checkBrokers(brokers: number, replicationFactor: number): Check {
  const found = `${brokers} broker${brokers === 1 ? '' : 's'}`;
  if (brokers >= replicationFactor) return ok('Kafka', found);
  const advice = `KAFKA_REPLICATION_FACTOR=${replicationFactor} needs ${replicationFactor} brokers: start more, or lower it`;
  return problem('Kafka', found, advice);
}

function checkMissing(missing: readonly string[], replicationFactor: number): Check {
  const advice = `fairline start creates them with ${PARTITIONS} partitions and ${replicationFactor} replicas; the Kafka user needs permission to`;
  return warning('Kafka topics', `missing: ${missing.join(', ')}`, advice);
}

function checkTopic(
  topic: string,
  { partitions, replicas, withoutLeader }: TopicSurvey,
  replicationFactor: number,
): Check {
  const what = `Kafka topic ${topic}`;
  if (withoutLeader > 0) {
    const advice = 'start the missing brokers; until then the records stay in the outbox';
    return problem(what, `${withoutLeader} of ${partitions} partitions have no leader`, advice);
  }
  if (partitions < PARTITIONS) {
    const advice = `stop all processes with fairline_records_lag at 0, because keys change partition, and run: kafka-topics.sh --alter --topic ${topic} --partitions ${PARTITIONS}`;
    return warning(what, `${partitions} partitions, expected ${PARTITIONS}`, advice);
  }
  if (replicas < replicationFactor) {
    const advice = `add replicas with kafka-reassign-partitions.sh: KAFKA_REPLICATION_FACTOR=${replicationFactor} only applies to new topics`;
    return warning(what, `${replicas} replicas`, advice);
  }
  return ok(what, `${partitions} partitions, ${replicas} replicas`);
}
