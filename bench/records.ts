/**
 * Records from the outbox through Kafka to a consumer's effect: rate and latency, compared with what the same client
 * produces and consumes on the broker alone. Requires a disposable broker and database in KAFKA_BROKERS and DATABASE_URL:
 * the run leaves its topics and tables there.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { databaseSchema } from '../src/compose/database-schema.ts';
import { systemClock } from '../src/platform/clock.ts';
import { createLazyDatabase } from '../src/platform/database/lazy-database.ts';
import { createConsumer } from '../src/records/consumer.ts';
import { KafkaRecordLog } from '../src/records/kafka/kafka-record-log.ts';
import { createAppend } from '../src/records/postgres/append.ts';
import { createEffects } from '../src/records/postgres/postgres-effects.ts';
import { PostgresOutbox } from '../src/records/postgres/postgres-outbox.ts';
import { runRelayOnce } from '../src/records/relay.ts';
import { createRecordCounter } from '../src/stats/count-records.ts';
import { createStatsStore } from '../src/stats/postgres/postgres-stats-store.ts';
import { effort, report, round2 } from './report.ts';

const COUNT = effort(20_000, 1_000);
const BATCH = 500;
const EVENTS = 50;
const PACE_PER_SECOND = 200;
const PACED_SECONDS = effort(10, 1);
const POLL_MS = 20;
const TOPIC = 'traffic-events';

const { KAFKA_BROKERS: brokers, DATABASE_URL: url } = process.env;
if (brokers === undefined || url === undefined) {
  console.log('skipped: requires KAFKA_BROKERS and DATABASE_URL');
} else {
  await measure(brokers.split(','), url);
}

async function measure(addresses: string[], databaseUrl: string): Promise<void> {
  const silent = pino({ level: 'silent' });
  const kafka = { brokers: addresses, tls: undefined, sasl: undefined, replicationFactor: 1 };
  const log = new KafkaRecordLog({ ...kafka, prefix: `bench-${randomUUID()}-` }, silent);
  const database = createLazyDatabase({ url: databaseUrl, connections: 10 }, databaseSchema);
  const db = await database.get();
  const outbox = new PostgresOutbox(database);
  const group = `bench-${randomUUID()}`;
  const stats = createStatsStore({ database, timeZone: 'UTC', group });

  const add = (from: number, count: number) =>
    db.transaction().execute(async (tx) => {
      for (let no = from; no < from + count; no += 1) {
        const eventId = `bench-${no % EVENTS}`;
        const payload = { eventId, joined: no, admitted: 0 };
        await createAppend()(tx, { type: 'TRAFFIC_COUNTED', at: new Date(), payload });
      }
    });

  const floor = await measureFloor(new KafkaRecordLog({ ...kafka, prefix: `floor-${randomUUID()}-` }, silent));
  console.log(`broker alone:       ${floor.produced} records/s produced, ${floor.consumed} consumed`);

  let handled = 0;
  const seenAt = new Map<number, number>();
  const handle = createConsumer({
    group,
    handling: {
      ...createRecordCounter(stats),
      async handle(tx, records, inTraceOf) {
        await createRecordCounter(stats).handle(tx, records, inTraceOf);
        for (const { payload } of records) if ('joined' in payload) seenAt.set(payload.joined, performance.now());
      },
    },
    ...{ effects: createEffects(database), tries: 3, retryMs: 100, clock: systemClock, log: silent },
    stopping: new AbortController().signal,
    onHandled: () => {
      handled += 1;
    },
  });
  const untilHandled = async (count: number) => {
    while (handled < count) await sleep(1);
  };
  for (let no = 0; no < COUNT; no += BATCH) await add(no, BATCH);

  const relayedAt = performance.now();
  while ((await runRelayOnce({ outbox, log })) === 'again');
  const relayed = perSecond(COUNT, relayedAt);
  const consumption = log.consume({ group, topics: [TOPIC], handle });
  await untilHandled(1);
  const [handledAt, before] = [performance.now(), handled];
  await untilHandled(COUNT);
  const taken = perSecond(COUNT - before, handledAt);
  console.log(`outbox to Kafka:    ${relayed} records/s`);
  console.log(`Kafka to effect:    ${taken} records/s`);

  let isOver = false;
  const relaying = (async () => {
    while (!isOver) if ((await runRelayOnce({ outbox, log })) === 'done') await sleep(POLL_MS);
  })();
  const committedAt = new Map<number, number>();
  const startedAt = performance.now();
  for (let no = 0; no < PACE_PER_SECOND * PACED_SECONDS; no += 1) {
    await add(COUNT + no, 1);
    committedAt.set(COUNT + no, performance.now());
    await sleep(Math.max(0, startedAt + (no + 1) * (1_000 / PACE_PER_SECOND) - performance.now()));
  }
  await untilHandled(COUNT + committedAt.size);
  isOver = true;
  await relaying;
  const delays = [...committedAt].map(([no, at]) => seenAt.get(no)! - at).sort((a, b) => a - b);
  const at = (part: number) => Math.round(delays[Math.floor(delays.length * part)]!);
  console.log(`commit to effect:   p50 ${at(0.5)} ms, p99 ${at(0.99)} ms at ${PACE_PER_SECOND} records/s`);
  report([
    {
      what: 'records from the outbox to Kafka',
      unit: '/s',
      ours: relayed,
      floor: floor.produced,
      toFloor: round2(relayed / floor.produced),
    },
    {
      what: 'records from Kafka to their effect, one transaction each',
      unit: '/s',
      ours: taken,
      floor: floor.consumed,
      toFloor: round2(taken / floor.consumed),
    },
    {
      what: `record from commit to effect at ${PACE_PER_SECOND}/s, p50`,
      unit: 'ms',
      ours: at(0.5),
      more: { 'p99 ms': at(0.99) },
    },
  ]);
  await consumption.stop();
  await log.close();
  await database.close();
}

async function measureFloor(log: KafkaRecordLog): Promise<{ produced: number; consumed: number }> {
  const value = JSON.stringify({ id: randomUUID(), type: 'TRAFFIC_COUNTED', payload: { padding: 'x'.repeat(150) } });
  await log.publish([{ topic: TOPIC, key: 'first', value }]);
  const startedAt = performance.now();
  for (let no = 0; no < COUNT; no += BATCH) {
    await log.publish(
      Array.from({ length: BATCH }, (_, of) => ({ topic: TOPIC, key: `key-${(no + of) % EVENTS}`, value })),
    );
  }
  const produced = perSecond(COUNT, startedAt);
  let firstAt = 0;
  await log.drain({
    group: undefined,
    topics: [TOPIC],
    handle: async () => {
      firstAt ||= performance.now();
    },
  });
  const consumed = perSecond(COUNT, firstAt);
  await log.close();
  return { produced, consumed };
}

function perSecond(count: number, since: number): number {
  return Math.round((count / (performance.now() - since)) * 1_000);
}
