import { type AddressInfo, createServer, type Socket } from 'node:net';
import { pino } from 'pino';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { KafkaRecordLog } from '../../src/records/kafka/kafka-record-log.ts';
import type { Message } from '../../src/records/record-log.ts';
import { startKafkaProxy } from '../support/kafka-proxy.ts';
import { describeWithKafka, sharedKafka } from '../support/kafka-server.ts';
import { until } from '../support/until.ts';

const MESSAGES = ['a', 'b', 'c'].map((key) => ({ topic: 'orders', key, value: `of ${key}` }));

let count = 0;

describeWithKafka('a publish to Kafka', () => {
  let address: string;
  beforeAll(async () => {
    address = await sharedKafka();
  });

  /** A log behind a proxy, with a topic that exists. */
  async function openLog(timeouts: { sendMs?: number } = {}) {
    const proxy = await startKafkaProxy(address);
    count += 1;
    const config = { brokers: [proxy.address], tls: undefined, sasl: undefined, replicationFactor: 1 };
    const prefix = `publish-${process.pid}-${count}-`;
    const log = new KafkaRecordLog({ ...config, prefix }, pino({ level: 'silent' }), timeouts);
    onTestFinished(async () => {
      await proxy.close();
      await log.close();
    });
    await log.publish([{ topic: 'orders', key: 'a', value: 'the first' }]);
    expect(proxy.asked).toBeGreaterThan(0);
    const readAll = async () => {
      const found: Message[] = [];
      const handle = async (messages: readonly Message[]) => {
        found.push(...messages);
      };
      await log.drain({ group: undefined, topics: ['orders'], handle });
      return new Set(found.map(({ value }) => value));
    };
    return { log, proxy, readAll };
  }

  const ALL = new Set(['the first', 'of a', 'of b', 'of c']);

  it('survives a leader that has moved', async () => {
    const { log, proxy, readAll } = await openLog();
    const before = proxy.asked;
    proxy.refuse(1, 'not-leader');
    await log.publish(MESSAGES);
    expect(proxy.asked).toBeGreaterThan(before + 1);
    expect(await readAll()).toEqual(ALL);
  });

  it('survives a broker that does not respond', async () => {
    const { log, proxy, readAll } = await openLog({ sendMs: 1_000 });
    proxy.refuse(1, 'silence');
    await log.publish(MESSAGES);
    expect(await readAll()).toEqual(ALL);
  });

  it('survives failures of concurrent publishes', async () => {
    const { log, proxy, readAll } = await openLog();
    proxy.refuse(2, 'not-leader');
    await Promise.all(MESSAGES.map((message) => log.publish([message])));
    expect(await readAll()).toEqual(ALL);
  });

  it('gives up within a relay’s lease of a partition, and the next publish succeeds', async () => {
    const { log, proxy, readAll } = await openLog();
    proxy.refuse(Number.POSITIVE_INFINITY, 'not-leader');
    // The error of the client with real brokers.
    await expect(log.publish(MESSAGES)).rejects.toMatchObject({ errors: [{ message: 'Out of bounds.' }] });
    proxy.refuse(0, 'silence');
    expect(await readAll()).toEqual(new Set(['the first']));
    await log.publish(MESSAGES);
    expect(await readAll()).toEqual(ALL);
  });
});

it('gives up on a broker that never lists its topics, and closes the connection', async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const config = { tls: undefined, sasl: undefined, replicationFactor: 1, prefix: '' };
  const brokers = [`127.0.0.1:${(server.address() as AddressInfo).port}`];
  const log = new KafkaRecordLog({ ...config, brokers }, pino({ level: 'silent' }), { topicsMs: 500 });
  await expect(log.publish(MESSAGES)).rejects.toThrow('no answer from Kafka within 500 ms');
  await until('the connections to be closed', () => sockets.size === 0);
  await log.close();
});
