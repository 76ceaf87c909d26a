import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { databaseSchema } from '../../src/compose/database-schema.ts';
import type { Handlers } from '../../src/records/handling.ts';
import { replayDead } from '../../src/records/replay.ts';
import { topics } from '../../src/records/topics.ts';
import { describeOnEachDatabase, onPostgres, type SuiteDatabase } from '../support/databases.ts';
import { describeWithKafka, sharedKafka } from '../support/kafka-server.ts';
import { until } from '../support/until.ts';
import { createRecords, traffic } from './records-fixture.ts';

const GROUP = 'test-group';
const READ = ['traffic-events'];

function consumers(suite: SuiteDatabase, kafka: () => string | undefined): void {
  /** An effect in the database: a row for each time a record was handled. */
  async function createWorld() {
    const records = await createRecords(suite, kafka());
    await sql`create table if not exists effects (event_id text, no int, nth int generated always as identity)`.execute(
      suite.db,
    );
    await sql`truncate effects`.execute(suite.db);
    const handlers: Handlers = {
      TRAFFIC_COUNTED: async (tx, { payload }) => {
        await sql`insert into effects values (${payload.eventId}, ${payload.joined})`.execute(tx);
      },
    };
    const listEffects = async () => {
      const { rows } = await sql<{ event_id: string; no: number }>`select * from effects order by 1, 2`.execute(
        suite.db,
      );
      return rows.map((row) => `${row.event_id}:${row.no}`);
    };
    const add = (eventId: string, no: number) =>
      suite.db.transaction().execute((tx) => records.append(tx, traffic(eventId, no)));
    return { ...records, handlers, listEffects, add };
  }

  it('have the effect of each record once, however often it comes', async () => {
    const { start, settle, add, handlers, listEffects, log, readAll } = await createWorld();
    for (const no of [1, 2, 3]) await add('a', no);
    const { handle } = start(GROUP, handlers, READ);
    await settle([{ group: GROUP, topics: READ }]);
    const messages = await readAll(READ);
    await log.publish(messages);
    await settle([{ group: GROUP, topics: READ }]);
    await Promise.all(messages.map((message) => handle([message])));
    await Promise.all([handle(messages), handle([...messages, ...messages])]);
    expect(await listEffects()).toEqual(['a:1', 'a:2', 'a:3']);
  });

  it('do not note a record whose effect failed, and do not keep half of an effect', async () => {
    const { start, settle, add, listEffects, handlers } = await createWorld();
    let failures = 0;
    const failing: Handlers = {
      TRAFFIC_COUNTED: async (tx, record) => {
        await handlers.TRAFFIC_COUNTED!(tx, record);
        failures += 1;
        if (failures < 3) throw new Error('half way');
      },
    };
    await add('a', 1);
    start(GROUP, failing, READ);
    await settle([{ group: GROUP, topics: READ }]);
    expect(failures).toBe(3);
    expect(await listEffects()).toEqual(['a:1']);
  });

  it('put a poison record aside with its reason, let the others pass, and take it when it is put back', async () => {
    const { start, settle, add, listEffects, handlers, readAll, log, relayAll } = await createWorld();
    let isMended = false;
    const poisoned: Handlers = {
      TRAFFIC_COUNTED: async (tx, record) => {
        if (record.payload.joined === 13 && !isMended) throw new Error('13 brings bad luck');
        await handlers.TRAFFIC_COUNTED!(tx, record);
      },
    };
    for (const no of [12, 13, 14]) await add('a', no);
    await log.publish([{ topic: 'traffic-events', key: 'a', value: 'not even JSON' }]);
    const groups = [{ group: GROUP, topics: READ }];
    start(GROUP, poisoned, READ);
    await settle(groups);
    expect(await listEffects()).toEqual(['a:12', 'a:14']);
    const dead = (await readAll(['traffic-events.dlq'])).map(({ value }) => JSON.parse(value));
    expect(dead).toMatchObject([
      { topic: 'traffic-events', key: 'a', group: GROUP, reason: 'not JSON', tries: 0, value: 'not even JSON' },
      { topic: 'traffic-events', key: 'a', group: GROUP, reason: '13 brings bad luck', tries: 3 },
    ]);
    isMended = true;
    expect(await replayDead(log, topics)).toBe(2);
    await settle(groups);
    expect(await listEffects()).toEqual(['a:12', 'a:13', 'a:14']);
    // What cannot be read has been put aside again; what could has not, and is not put back twice.
    await relayAll();
    expect(await replayDead(log, topics)).toBe(1);
    await settle(groups);
    expect(await listEffects()).toEqual(['a:12', 'a:13', 'a:14']);
  });

  it('find the poison records among many that come together, and handle the others in order', async () => {
    const { consumerOf, add, handlers, readAll, relayAll } = await createWorld();
    let transactions = 0;
    const poisoned: Handlers = {
      TRAFFIC_COUNTED: async (tx, record) => {
        const { joined } = record.payload;
        if (joined === 1) transactions += 1;
        await handlers.TRAFFIC_COUNTED!(tx, record);
        if (joined === 17 || joined === 40) throw new Error(`${joined} brings bad luck`);
      },
    };
    const numbers = Array.from({ length: 60 }, (_, at) => at + 1);
    for (const no of numbers) await add('a', no);
    await relayAll();
    await consumerOf(GROUP, poisoned)(await readAll(READ));
    const { rows } = await sql<{ no: number }>`select no from effects order by nth`.execute(suite.db);
    expect(rows.map(({ no }) => no)).toEqual(numbers.filter((no) => no !== 17 && no !== 40));
    await relayAll();
    const dead = (await readAll(['traffic-events.dlq'])).map(({ value }) => JSON.parse(value));
    expect(dead.map(({ reason, tries }) => `${reason} ${tries} times`)).toEqual([
      '17 brings bad luck 3 times',
      '40 brings bad luck 3 times',
    ]);
    // Halves of halves, and not each by itself.
    expect(transactions).toBeLessThan(10);
  });

  it('ignore what is of a type they do not know', async () => {
    const { start, settle, listEffects, handlers, log, readAll } = await createWorld();
    const value = JSON.stringify({
      ...{ id: 'x', type: 'TRAFFIC_LIGHT', key: 'a', occurredAt: '2026-01-01T00:00:00Z', sagaId: 'a', payload: {} },
    });
    await log.publish([{ topic: 'traffic-events', key: 'a', value }]);
    start(GROUP, handlers, READ);
    await settle([{ group: GROUP, topics: READ }]);
    expect(await listEffects()).toEqual([]);
    expect(await readAll(['traffic-events.dlq'])).toEqual([]);
  });

  it('stop between two tries without losing the record', async () => {
    const { start, settle, add, listEffects, handlers, relayAll } = await createWorld();
    let tries = 0;
    const failing: Handlers = {
      TRAFFIC_COUNTED: async () => {
        tries += 1;
        throw new Error('not today');
      },
    };
    await add('a', 1);
    await relayAll();
    const first = start(GROUP, failing, READ, 600_000);
    await until('the first try', () => tries > 0);
    await first.stop();
    start(GROUP, handlers, READ);
    await settle([{ group: GROUP, topics: READ }]);
    expect(await listEffects()).toEqual(['a:1']);
  });
}

describeOnEachDatabase('consumers', databaseSchema, (suite) => consumers(suite, () => undefined));

describeWithKafka('consumers of Kafka', () => {
  let address: string;
  beforeAll(async () => {
    address = await sharedKafka();
  });
  consumers(onPostgres(databaseSchema), () => address);
});
