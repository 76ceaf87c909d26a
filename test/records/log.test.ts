import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { databaseSchema } from '../../src/compose/database-schema.ts';
import { KafkaRecordLog } from '../../src/records/kafka/kafka-record-log.ts';
import { PostgresRecordLog } from '../../src/records/postgres/postgres-record-log.ts';
import { partitionOf } from '../../src/records/topics.ts';
import { describeOnEachDatabase } from '../support/databases.ts';
import { describeWithKafka, sharedKafka } from '../support/kafka-server.ts';
import { describeLog } from './log-contract.ts';

const log = pino({ level: 'silent' });

describeOnEachDatabase('the log', databaseSchema, (suite) => {
  describeLog(() => new PostgresRecordLog({ database: suite.lazy, pollMs: 20, log }));
});

describeWithKafka('the log in Kafka', () => {
  let address: string;
  beforeAll(async () => {
    address = await sharedKafka();
  });
  const config = () => ({ brokers: [address], tls: undefined, sasl: undefined, replicationFactor: 1, prefix: 'log-' });
  describeLog(() => new KafkaRecordLog(config(), log));
});

describe('the partition of a key', () => {
  it('is the one that Kafka’s own clients choose', () => {
    // From org.apache.kafka.common.utils.Utils.toPositive(murmur2(key)) % 3.
    expect(['21', 'foobar', 'a-little-bit-long-string', 'a-little-bit-longer-string', 'abc'].map(partitionOf)).toEqual(
      [-973932308, -790332482, -985981536, -1486304829, 479470107].map((hash) => (hash & 0x7fffffff) % 3),
    );
  });
});
