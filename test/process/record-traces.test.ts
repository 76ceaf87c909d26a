/** The trace of a purchase, from the request through the log to the consumer in another process. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWithKafka, sharedKafka } from '../support/kafka-server.ts';
import { type PostgresDatabases, sharedPostgres } from '../support/postgres-server.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { type AskOptions, type ServerProcess, startServer } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { type Span, startTraceCollector } from '../support/trace-collector.ts';
import { until } from '../support/until.ts';

const [HOLD, PAYMENT] = ['a'.repeat(32), 'c'.repeat(32)];
const CALLER_SPAN = 'b'.repeat(16);
/** Keeps the keeper out: it would settle the payment from the sandbox's webhook instead of the request. */
const SETTINGS = { RECORDS_POLL_MS: '20', KEEPER_INTERVAL_MS: '60000' };

/** Holds and pays, each in its own trace. */
async function buy(shop: ServerProcess): Promise<void> {
  const ask = async (method: string, path: string, options: AskOptions) => {
    const { status, body } = await shop.ask(method, path, options);
    if (status >= 300) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return body;
  };
  const operate = (method: string, path: string, body: object = {}) =>
    ask(method, `/api/admin${path}`, { operator: true, body });
  const sections = [{ id: 'A', name: 'Front', rows: 1, seatsPerRow: 10, price: 50_000 }];
  await operate('PUT', '/layouts/hall', { name: 'Hall', sections, standing: [] });
  await operate('PUT', '/events/concert', { title: 'Concert', startsAt: '2100-01-01T10:00:00Z' });
  await operate('POST', '/events/concert/seats', { layoutId: 'hall' });
  await operate('POST', '/events/concert/open');
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    ask('POST', path, { user: 'mina', body, headers });
  const parent = (traceId: string) => ({ traceparent: `00-${traceId}-${CALLER_SPAN}-01` });
  const { entryToken } = await post('/api/queue/check/concert', {});
  const { reservationId } = await post(
    '/api/seats/reserve',
    { eventId: 'concert', best: { count: 1 } },
    { 'x-queue-entry-token': entryToken, ...parent(HOLD) },
  );
  const { orderId, paymentKey, amount } = await post('/api/payments/prepare', { reservationId });
  await post('/api/payments/confirm', { orderId, paymentKey, amount }, parent(PAYMENT));
}

async function untilCounted(stats: ServerProcess): Promise<void> {
  await until('the purchase to be in the statistics', async () => {
    const { body } = await stats.ask('GET', '/api/stats/overview', { operator: true });
    return body.counts?.created === 1 && body.counts?.confirmed === 1 && body.money?.[0]?.revenue > 0;
  });
}

/** `POST /pay > send payments > process payments` for every leaf span, without SQL statements. */
function pathsOf(spans: Span[], traceId: string): Set<string> {
  const ours = spans.filter((span) => span.traceId === traceId && !/^(redis|postgresql) /.test(span.name));
  const nameOf = ({ name, attributes }: Span) =>
    [name, attributes['messaging.consumer.group.name']].filter((word) => word !== undefined).join(' by ');
  const pathOf = (span: Span): string => {
    const parent = ours.find(({ spanId }) => spanId === span.parentSpanId);
    return parent === undefined ? nameOf(span) : `${pathOf(parent)} > ${nameOf(span)}`;
  };
  const parents = new Set(ours.map(({ parentSpanId }) => parentSpanId));
  return new Set(ours.filter(({ spanId }) => !parents.has(spanId)).map(pathOf));
}

function expectPurchase(spans: Span[]): void {
  const held = 'POST /api/seats/reserve > send reservation-events > process reservation-events';
  expect(pathsOf(spans, HOLD)).toEqual(new Set([`${held} by stats-service-group`]));
  const paid = 'POST /api/payments/confirm > send payment-events > process payment-events';
  const follows = 'send reservation-events > process reservation-events by stats-service-group';
  expect(pathsOf(spans, PAYMENT)).toEqual(
    new Set([`${paid} by stats-service-group`, `${paid} by ticket-service-group > ${follows}`]),
  );
  // The effect: SQL statements below the consumer's span.
  const processed = spans.filter(({ name, traceId }) => traceId === PAYMENT && name === 'process payment-events');
  for (const { spanId } of processed) {
    const below = spans.filter(({ parentSpanId }) => parentSpanId === spanId).map(({ name }) => name);
    expect(below).toContain('postgresql insert processed_events');
  }
}

describe('the trace of a purchase in one process', () => {
  it('leads from the request to the statistics', async () => {
    const collector = await startTraceCollector();
    const server = await startServer({
      DATA_DIR: tempFolder(),
      SHOP: 'on',
      ...SETTINGS,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    });
    await buy(server);
    await untilCounted(server);
    await server.kill('SIGTERM');
    expectPurchase(collector.spans);
  });
});

describeWithKafka('the trace of a purchase through Kafka', () => {
  let kafka: string;
  let postgres: PostgresDatabases;
  let redis: RedisServer;
  beforeAll(async () => {
    [kafka, postgres, redis] = await Promise.all([sharedKafka(), sharedPostgres(), startRedis()]);
  });
  afterAll(() => redis?.stop());

  it('leads from the request in one process to the statistics in another', async () => {
    const collector = await startTraceCollector();
    const database = await postgres.createDatabase();
    const run = (name: string, roles: string) =>
      startServer({
        FAIRLINE_ROLES: roles,
        DATA_DIR: tempFolder(),
        SHOP: 'on',
        DATABASE_URL: database,
        REDIS_URL: redis.url,
        KAFKA_BROKERS: kafka,
        KAFKA_PREFIX: `traces-${process.pid}-`,
        ...SETTINGS,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
        OTEL_SERVICE_NAME: name,
      });
    const shop = await run('the-shop', 'line,admitter,shop,keeper');
    const others = [await run('the-relay', 'relay'), await run('the-chain', 'chain')];
    const stats = await run('the-stats', 'stats');
    await buy(shop);
    await untilCounted(stats);
    for (const server of [shop, stats, ...others]) await server.kill('SIGTERM');
    expectPurchase(collector.spans);
    expect(collector.services).toEqual(new Set(['the-shop', 'the-relay', 'the-chain', 'the-stats']));
  });
});
