/** The traces that a collector receives from the program on Redis and PostgreSQL. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWithPostgres, type PostgresDatabases, sharedPostgres } from '../support/postgres-server.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { type ServerProcess, startGateProcess, startServer } from '../support/server-process.ts';
import { startSite } from '../support/site.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { secrets } from '../support/test-app.ts';
import { startTraceCollector } from '../support/trace-collector.ts';

const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const SERVER = 2;
const CLIENT = 3;
const CONSUMER = 5;

let redis: RedisServer;
let postgres: PostgresDatabases;

async function startSelling(endpoint: string): Promise<ServerProcess> {
  const server = await startServer({
    DATA_DIR: tempFolder(),
    REDIS_URL: redis.url,
    DATABASE_URL: await postgres.createDatabase(),
    SHOP: 'on',
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_SERVICE_NAME: 'the-shop',
  });
  const operate = (method: string, path: string, body: object) =>
    server.ask(method, `/api/admin${path}`, { operator: true, body });
  const sections = [{ id: 'A', name: 'Front', rows: 4, seatsPerRow: 10, price: 50_000 }];
  await operate('PUT', '/layouts/hall', { name: 'Hall', sections, standing: [] });
  await operate('PUT', '/events/concert', { title: 'Concert', startsAt: '2100-01-01T10:00:00Z' });
  await operate('POST', '/events/concert/seats', { layoutId: 'hall' });
  await operate('POST', '/events/concert/open', {});
  return server;
}

describeWithPostgres('traces', () => {
  beforeAll(async () => {
    redis = await startRedis();
    postgres = await sharedPostgres();
  });
  afterAll(async () => {
    await redis?.stop();
  });

  it('follow a purchase from the caller through HTTP to Redis and PostgreSQL, without personal data', async () => {
    const collector = await startTraceCollector();
    const server = await startSelling(collector.endpoint);
    const { body } = await server.ask('POST', '/api/queue/check/concert', { user: 'mina-of-the-traces' });
    const entryToken: string = body.entryToken;
    const held = await server.ask('POST', '/api/seats/reserve?note=secret-of-the-query', {
      user: 'mina-of-the-traces',
      body: { eventId: 'concert', best: { count: 2 } },
      headers: {
        'x-queue-entry-token': entryToken,
        traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01`,
        'x-request-id': 'asked-by-mina',
      },
    });
    expect(held.status).toBe(201);
    for (const user of ['jun', 'sora']) await server.ask('POST', '/api/queue/check/concert', { user });
    // Stopping flushes the remaining spans.
    await server.kill('SIGTERM');

    const spans = collector.spans.filter(({ traceId }) => traceId === CALLER.traceId);
    const [request, ...others] = spans.filter(({ kind }) => kind === SERVER);
    expect(others).toEqual([]);
    expect(request).toMatchObject({
      name: 'POST /api/seats/reserve',
      parentSpanId: CALLER.spanId,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/seats/reserve',
        'http.response.status_code': 201,
        'fairline.request_id': 'asked-by-mina',
      },
    });
    // The consumers of the hold's record may have added spans already.
    const processed = new Set(spans.filter(({ kind }) => kind === CONSUMER).map(({ spanId }) => spanId));
    const calls = spans.filter(({ kind, parentSpanId }) => kind === CLIENT && !processed.has(parentSpanId!));
    expect(new Set(calls.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([request!.spanId]));
    expect(new Set(calls.map(({ attributes }) => attributes['db.system.name']))).toEqual(
      new Set(['redis', 'postgresql']),
    );
    expect(collector.services).toEqual(new Set(['the-shop']));

    // A request without a trace starts one; background work has none.
    const roots = collector.spans.filter(({ parentSpanId }) => parentSpanId === undefined);
    expect(roots.filter(({ kind }) => kind !== SERVER)).toEqual([]);
    const joins = roots.filter(({ name }) => name === 'POST /api/queue/check/:eventId');
    expect(new Set(joins.map(({ traceId }) => traceId)).size).toBe(3);
    for (const secret of ['mina-of-the-traces', entryToken, 'secret-of-the-query', ...Object.values(secrets)]) {
      expect(collector.text()).not.toContain(secret);
    }
  });

  it('delay no request if the collector is unreachable', async () => {
    const server = await startServer({ DATA_DIR: tempFolder(), OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' });
    await server.ask('PUT', '/api/admin/rooms/concert', { operator: true, body: { maxActive: 5 } });
    expect((await server.ask('POST', '/api/queue/check/concert', { user: 'mina' })).status).toBe(200);
    expect(await server.kill('SIGTERM')).toBe(0);
  });
});

describe('traces of a gate', () => {
  it('continue to the site, and include the responses of the gate itself', async () => {
    const collector = await startTraceCollector();
    const site = await startSite();
    const gate = await startGateProcess(['--upstream', site.url], {
      GATE_VWR_EVENTS: 'all',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_SERVICE_NAME: 'the-gate',
    });
    const headers = { traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01`, tracestate: 'some=thing' };
    expect((await gate.ask('GET', '/about?who=mina-of-the-traces', { headers })).status).toBe(200);
    expect((await gate.ask('GET', '/api/seats/events/concert', { headers })).status).toBe(403);
    await gate.kill('SIGTERM');
    const [passed, refused] = collector.spans;
    expect([passed, refused]).toMatchObject(
      [200, 403].map((status) => ({
        ...{ name: 'GET', kind: SERVER, traceId: CALLER.traceId, parentSpanId: CALLER.spanId },
        attributes: { 'http.request.method': 'GET', 'http.response.status_code': status },
      })),
    );
    expect(site.asked).toHaveLength(1);
    expect(site.asked[0]?.headers).toMatchObject({
      traceparent: `00-${CALLER.traceId}-${passed?.spanId}-01`,
      tracestate: 'some=thing',
    });
    expect(collector.services).toEqual(new Set(['the-gate']));
    for (const secret of ['mina-of-the-traces', '/about', 'concert']) expect(collector.text()).not.toContain(secret);
  });
});
