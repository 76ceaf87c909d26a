import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { databaseSchema } from '../../src/compose/database-schema.ts';
import { PostgresOutbox } from '../../src/records/postgres/postgres-outbox.ts';
import { readRecord } from '../../src/records/read-record.ts';
import type { Message } from '../../src/records/record-log.ts';
import { runRelayOnce } from '../../src/records/relay.ts';
import { describeOnEachDatabase, onPostgres, type SuiteDatabase } from '../support/databases.ts';
import { describeWithKafka, sharedKafka } from '../support/kafka-server.ts';
import { describeWithPostgres } from '../support/postgres-server.ts';
import { until } from '../support/until.ts';
import { createRecords, traffic } from './records-fixture.ts';

const numberIn = ({ value }: Message) => {
  const read = readRecord(value);
  if (read.outcome !== 'record' || read.record.type !== 'TRAFFIC_COUNTED') throw new Error(value);
  return read.record.payload.joined;
};
/** In order of first delivery. */
const numbersOf = (messages: Message[], key: string) => [
  ...new Set(messages.filter((message) => message.key === key).map(numberIn)),
];
const upTo = (count: number) => Array.from({ length: count }, (_, no) => no);

function relays(suite: SuiteDatabase, kafka: () => string | undefined): void {
  it('publishes committed records only, in order for each key', async () => {
    const { append, relayAll, readAll, outbox } = await createRecords(suite, kafka());
    for (const no of upTo(20)) {
      await suite.db.transaction().execute(async (tx) => {
        await append(tx, traffic('one', no));
        await append(tx, traffic('two', no));
      });
    }
    const undone = suite.db.transaction().execute(async (tx) => {
      await append(tx, traffic('one', 99));
      throw new Error('changed my mind');
    });
    await expect(undone).rejects.toThrow('changed my mind');
    await relayAll();
    const messages = await readAll(['traffic-events']);
    expect(numbersOf(messages, 'one')).toEqual(upTo(20));
    expect(numbersOf(messages, 'two')).toEqual(upTo(20));
    expect(await outbox.measure()).toEqual({ waiting: 0, oldestMs: 0 });
  });

  it('publishes a batch again that it could not remove', async () => {
    const { append, log, outbox, relayAll, readAll } = await createRecords(suite, kafka());
    await suite.db.transaction().execute((tx) => append(tx, traffic('one', 1)));
    const dying = {
      takePartition: async () => {
        const partition = await outbox.takePartition();
        return partition && { ...partition, remove: () => Promise.reject(new Error('killed')) };
      },
    };
    await expect(runRelayOnce({ outbox: dying, log })).rejects.toThrow('killed');
    await relayAll();
    const messages = await readAll(['traffic-events']);
    expect(messages.length).toBeGreaterThanOrEqual(2);
    expect(new Set(messages.map(({ value }) => value)).size).toBe(1);
  });

  it('keeps a batch that the log did not take', async () => {
    const { append, outbox, relayAll, readAll } = await createRecords(suite, kafka());
    await suite.db.transaction().execute((tx) => append(tx, traffic('one', 1)));
    const log = { publish: () => Promise.reject(new Error('no log')) };
    await expect(runRelayOnce({ outbox, log })).rejects.toThrow('no log');
    await relayAll();
    expect(numbersOf(await readAll(['traffic-events']), 'one')).toEqual([1]);
  });

  it('gives a partition to one relay at a time', async () => {
    const { append, outbox } = await createRecords(suite, kafka());
    await suite.db.transaction().execute((tx) => append(tx, traffic('one', 1)));
    const first = await outbox.takePartition();
    expect(first?.waiting).toHaveLength(1);
    expect(await outbox.takePartition()).toBeUndefined();
    await first!.release();
    const second = await outbox.takePartition();
    expect(second?.waiting).toEqual(first!.waiting);
    await second!.release();
  });

  it('gives the partition of a relay that died to another', async () => {
    const { append, outbox } = await createRecords(suite, kafka());
    await suite.db.transaction().execute((tx) => append(tx, traffic('one', 1)));
    const dead = await new PostgresOutbox(suite.lazy, { leaseMs: 50 }).takePartition();
    const next = await until('the lease to end', () => outbox.takePartition());
    await dead!.keep();
    await dead!.release();
    expect(await outbox.takePartition()).toBeUndefined();
    await next.release();
  });

  it('leaves a partition to its relay for as long as the log takes', async () => {
    const { append } = await createRecords(suite, kafka());
    await suite.db.transaction().execute((tx) => append(tx, traffic('one', 1)));
    const outbox = new PostgresOutbox(suite.lazy, { leaseMs: 30_000 });
    const heldUntil = async () => {
      const { rows } = await sql<{ at: number | null }>`
        select extract(epoch from max(held_until))::float8 as at from outbox_lanes where holder is not null`.execute(
        suite.db,
      );
      return rows[0]!.at ?? 0;
    };
    let take = () => {};
    const log = {
      publish: () =>
        new Promise<void>((resolve) => {
          take = resolve;
        }),
    };
    const relaying = runRelayOnce({ outbox, log, keepMs: 5 });
    await until('the partition to be leased', async () => (await heldUntil()) > 0);
    const before = await heldUntil();
    await until('the lease to be prolonged', async () => (await heldUntil()) > before);
    expect(await outbox.takePartition()).toBeUndefined();
    take();
    expect(await relaying).toBe('again');
    await suite.db.transaction().execute((tx) => append(tx, traffic('one', 2)));
    const next = await outbox.takePartition();
    expect(next?.waiting).toHaveLength(1);
    await next!.release();
  });
}

/** Needs several connections. */
function concurrentRelays(suite: SuiteDatabase, kafka: () => string | undefined): void {
  it('publishes records whose transactions commit late, out of the order of their ids', async () => {
    const { append, relayAll, readAll } = await createRecords(suite, kafka());
    const slow = upTo(5).map((no) => {
      let commit = () => {};
      const mayCommit = new Promise<void>((resolve) => {
        commit = resolve;
      });
      let note = () => {};
      const isAppended = new Promise<void>((resolve) => {
        note = resolve;
      });
      const done = suite.db.transaction().execute(async (tx) => {
        await append(tx, traffic(`slow-${no}`, no));
        // Longer than the rest of this test.
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
        note();
        await mayCommit;
      });
      return { commit, isAppended, done };
    });
    await Promise.all(slow.map(({ isAppended }) => isAppended));
    for (const no of upTo(30)) await suite.db.transaction().execute((tx) => append(tx, traffic(`quick-${no}`, no)));
    await relayAll();
    expect(new Set((await readAll(['traffic-events'])).map(({ key }) => key)).size).toBe(30);
    for (const { commit, done } of slow.reverse()) {
      commit();
      await done;
      await relayAll();
    }
    const keys = new Set((await readAll(['traffic-events'])).map(({ key }) => key));
    expect(keys.size).toBe(35);
  });

  it('keeps the order of each key with several relays while records are appended', async () => {
    const { append, log, outbox, relayAll, readAll } = await createRecords(suite, kafka());
    let isOver = false;
    const relay = async () => {
      while (!isOver) await runRelayOnce({ outbox, log });
    };
    const running = [relay(), relay(), relay()];
    const keys = upTo(6).map((no) => `key-${no}`);
    await Promise.all(
      keys.map(async (key) => {
        for (const no of upTo(30)) await suite.db.transaction().execute((tx) => append(tx, traffic(key, no)));
      }),
    );
    isOver = true;
    await Promise.all(running);
    await relayAll();
    const messages = await readAll(['traffic-events']);
    for (const key of keys) expect(numbersOf(messages, key)).toEqual(upTo(30));
    // Two relays on a partition would have published some twice; Kafka's client can do so too.
    if (kafka() === undefined) expect(messages).toHaveLength(180);
  });
}

describeOnEachDatabase('the relay', databaseSchema, (suite) => relays(suite, () => undefined));

describeWithPostgres('several relays', () => {
  const suite = onPostgres(databaseSchema);
  concurrentRelays(suite, () => undefined);
});

describeWithKafka('the relay to Kafka', () => {
  let address: string;
  beforeAll(async () => {
    address = await sharedKafka();
  });
  const suite = onPostgres(databaseSchema);
  relays(suite, () => address);
  concurrentRelays(suite, () => address);
});
