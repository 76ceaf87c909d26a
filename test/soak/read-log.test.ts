import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { KafkaRecordLog } from '../../src/records/kafka/kafka-record-log.ts';
import { describeWithKafka, sharedKafka } from '../support/kafka-server.ts';
import { readTopic } from './read-log.ts';

describeWithKafka('reading the log', () => {
  it('finds every message with its partition and offset, and nothing in a topic that does not exist', async () => {
    const address = await sharedKafka();
    const prefix = `soak-${randomUUID()}-`;
    const config = { brokers: [address], tls: undefined, sasl: undefined, replicationFactor: 1, prefix };
    const log = new KafkaRecordLog(config, pino({ level: 'silent' }));
    const values = ['1', '2', '3', '4', '5', '6'];
    await log.publish(values.map((value) => ({ topic: 'payment-events', key: `order-${value}`, value })));
    await log.close();
    const found = await readTopic(address, `${prefix}payment-events`);
    expect(found.map(({ text }) => text).sort()).toEqual(values);
    expect(new Set(found.map(({ partition, offset }) => `${partition} ${offset}`)).size).toBe(values.length);
    expect(await readTopic(address, `${prefix}payment-events.dlq`)).toEqual([]);
  }, 120_000);
});
