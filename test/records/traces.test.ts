/** Records continue the traces of the requests that appended them. */
import { sql } from 'kysely';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { databaseSchema } from '../../src/compose/database-schema.ts';
import { startOpenTelemetry } from '../../src/platform/tracing/open-telemetry.ts';
import type { Handlers } from '../../src/records/handling.ts';
import type { Message } from '../../src/records/record-log.ts';
import { runRelayOnce } from '../../src/records/relay.ts';
import { replayDead } from '../../src/records/replay.ts';
import { topics } from '../../src/records/topics.ts';
import { describeOnEachDatabase, onPostgres, type SuiteDatabase } from '../support/databases.ts';
import { describeWithKafka, sharedKafka } from '../support/kafka-server.ts';
import { startTraceCollector } from '../support/trace-collector.ts';
import { createRecords, traffic } from './records-fixture.ts';

const GROUP = 'traced-group';
const READ = ['traffic-events'];
const FAILED = 2;

/** The trace of the request with this number. */
const traceOf = (no: number) => String(no).repeat(32);
const CALLER_SPAN = 'b'.repeat(16);

/** `1: 111…`, once for each message. */
const tracesIn = (messages: readonly Message[]) =>
  [
    ...new Set(
      messages.map(({ value, headers }) => {
        const { joined, transferId } = JSON.parse(value).payload;
        return `${joined ?? transferId}: ${headers?.traceparent?.slice(3, 35)}`;
      }),
    ),
  ].sort();

function traces(suite: SuiteDatabase, kafka: () => string | undefined): void {
  async function createWorld() {
    const collector = await startTraceCollector();
    const { endpoint } = collector;
    const tracing = startOpenTelemetry({ endpoint, serviceName: 'tests', version: '0', sampledShare: 1 });
    onTestFinished(() => tracing.close());
    const records = await createRecords(suite, kafka(), tracing);
    const add = (no: number) => suite.db.transaction().execute((tx) => records.append(tx, traffic('concert', no)));
    /** Appended by a request that is over before the record is consumed. */
    const ask = async (no: number) => {
      const headers = { traceparent: `00-${traceOf(no)}-${CALLER_SPAN}-01` };
      const request = tracing.beginRequest({ method: 'POST', headers, requestId: 'r' });
      await new Promise<void>((resolve, reject) => request.enter(() => void add(no).then(resolve, reject)));
      request.end({ route: '/', status: 201 });
    };
    /** Each record causes another. */
    const following: Handlers = {
      TRAFFIC_COUNTED: (tx, { payload: { joined }, occurredAt }) => {
        const payload = { transferId: String(joined), reservationId: 'r', eventId: 'concert', sellerId: 's' };
        return records.append(tx, { type: 'TRANSFER_CANCELLED', at: new Date(occurredAt), payload });
      },
    };
    const spansOf = (no: number, name: string) =>
      collector.spans.filter((span) => span.traceId === traceOf(no) && span.name === name);
    return { ...records, tracing, collector, add, ask, following, spansOf };
  }

  it('lead from each request through the log to the consumer, even in a batch', async () => {
    const { ask, relayAll, consumerOf, following, readAll, tracing, spansOf } = await createWorld();
    for (const no of [1, 2, 3]) await ask(no);
    await relayAll();
    await consumerOf(GROUP, following)(await readAll(READ));
    await relayAll();
    await tracing.close();
    for (const no of [1, 2, 3]) {
      const [asked] = spansOf(no, 'POST /');
      const [sent] = spansOf(no, 'send traffic-events');
      const [processed] = spansOf(no, 'process traffic-events');
      const [sentOn] = spansOf(no, 'send transfer-events');
      expect([asked, sent, processed, sentOn].map((span) => span?.parentSpanId)).toEqual([
        ...[CALLER_SPAN, asked?.spanId, sent?.spanId, processed?.spanId],
      ]);
      expect(processed?.attributes).toMatchObject({
        'messaging.system': kafka() === undefined ? 'postgresql' : 'kafka',
        'messaging.consumer.group.name': GROUP,
      });
    }
    expect(tracesIn(await readAll(['transfer-events']))).toEqual([1, 2, 3].map((no) => `${no}: ${traceOf(no)}`));
  });

  it('do not include records without a request', async () => {
    const { ask, add, relayAll, consumerOf, following, readAll, tracing, collector } = await createWorld();
    await ask(1);
    await add(2);
    await relayAll();
    expect(tracesIn(await readAll(READ))).toEqual([`1: ${traceOf(1)}`, '2: undefined']);
    await consumerOf(GROUP, following)(await readAll(READ));
    await relayAll();
    expect(tracesIn(await readAll(['transfer-events']))).toEqual([`1: ${traceOf(1)}`, '2: undefined']);
    await tracing.close();
    expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([traceOf(1)]));
  });

  it('continue through the dead letter topic and a replay', async () => {
    const { ask, relayAll, start, settle, readAll, log, tracing, spansOf } = await createWorld();
    let isMended = false;
    const poisoned: Handlers = {
      TRAFFIC_COUNTED: async (_tx, { payload }) => {
        if (payload.joined === 2 && !isMended) throw new RangeError('2 brings bad luck');
      },
    };
    for (const no of [1, 2]) await ask(no);
    await relayAll();
    start(GROUP, poisoned, READ);
    const groups = [{ group: GROUP, topics: READ }];
    await settle(groups);
    const dead = await readAll(['traffic-events.dlq']);
    expect(dead.map(({ headers }) => headers?.traceparent?.slice(3, 35))).toEqual([traceOf(2)]);
    isMended = true;
    expect(await replayDead(log, topics)).toBe(1);
    await settle(groups);
    expect(tracesIn(await readAll(READ))).toEqual([1, 2].map((no) => `${no}: ${traceOf(no)}`));
    await tracing.close();
    const outcomesOf = (no: number) =>
      new Set(spansOf(no, 'process traffic-events').map(({ status }) => status === FAILED));
    expect([1, 2].map(outcomesOf)).toEqual([new Set([false]), new Set([true, false])]);
    const [failed] = spansOf(2, 'process traffic-events').filter(({ status }) => status === FAILED);
    expect(failed?.attributes['error.type']).toBe('RangeError');
  });

  it('pass through a relay without tracing', async () => {
    const { ask, outbox, log, readAll } = await createWorld();
    await ask(1);
    const { rows } = await sql<{ headers: Message['headers'] }>`select headers from outbox`.execute(suite.db);
    await runRelayOnce({ outbox, log });
    expect((await readAll(READ))[0]?.headers).toEqual(rows[0]?.headers);
  });

  it('leave no headers where tracing is off', async () => {
    const { append, relayAll, readAll } = await createRecords(suite, kafka());
    await suite.db.transaction().execute((tx) => append(tx, traffic('concert', 1)));
    const { rows } = await sql`select headers from outbox`.execute(suite.db);
    expect(rows).toEqual([{ headers: null }]);
    await relayAll();
    expect(Object.keys((await readAll(READ))[0]!)).toEqual(['topic', 'key', 'value']);
  });
}

describeOnEachDatabase('traces of records', databaseSchema, (suite) => traces(suite, () => undefined));

describeWithKafka('traces of records in Kafka', () => {
  let address: string;
  beforeAll(async () => {
    address = await sharedKafka();
  });
  traces(onPostgres(databaseSchema), () => address);
});
