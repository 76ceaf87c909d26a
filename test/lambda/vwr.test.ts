/** The Lambda functions of tier 1, invoked as AWS does, on a DynamoDB server. */
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import type { HttpEventV1, HttpEventV2 } from '../../lambda/http-event.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createDynamoDbClient } from '../../src/tier1/store/dynamodb/connect.ts';
import { DynamoDbTier1Store } from '../../src/tier1/store/dynamodb/dynamodb-tier1-store.ts';
import { createTables } from '../../src/tier1/store/dynamodb/tables.ts';
import { type DynamoDbServer, describeWithDynamoDb, startDynamoDb } from '../support/dynamodb-server.ts';

describeWithDynamoDb('the Lambda functions of tier 1', () => {
  let server: DynamoDbServer;
  beforeAll(async () => {
    server = await startDynamoDb();
    vi.stubEnv('VWR_STORE', 'dynamodb');
    vi.stubEnv('VWR_DYNAMODB_ENDPOINT', server.endpoint);
    vi.stubEnv('VWR_TOKEN_SECRET', 'vwr-secret-of-the-functions-0123456789');
    vi.stubEnv('VWR_CYCLE_MS', '100');
    return async () => {
      vi.unstubAllEnvs();
      await server.stop();
    };
  });

  function toEvent(method: string, rawPath: string, cookies: string[] = []): HttpEventV2 {
    return {
      rawPath,
      rawQueryString: '',
      headers: { host: 'vwr.example', 'x-forwarded-for': '198.51.100.7', 'accept-encoding': 'gzip' },
      cookies,
      isBase64Encoded: false,
      requestContext: { http: { method, sourceIp: '203.0.113.9' } },
    };
  }

  /** As a REST API sends it: no cookies apart, header names as the client wrote them, null where there is nothing. */
  function toRestEvent(httpMethod: string, path: string, more: Partial<HttpEventV1> = {}): HttpEventV1 {
    return {
      httpMethod,
      path,
      headers: { Host: 'vwr.example' },
      multiValueHeaders: { Host: ['vwr.example'], 'Accept-Encoding': ['gzip'] },
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      body: null,
      isBase64Encoded: false,
      requestContext: { identity: { sourceIp: '203.0.113.9' } },
      ...more,
    };
  }

  it('assign a number, serve it and issue the token, sharing only the tables', async () => {
    const { store, client } = await openStore(server);
    onTestFinished(() => client.destroy());
    await store.move('concert', { to: 'opening', activation: 'first', after: undefined });
    await store.move('concert', { to: 'active', activation: 'first', base: 0 });
    const { handler: api } = await import('../../lambda/vwr-api.ts');
    const { handler: advance } = await import('../../lambda/counter-advancer.ts');

    const assigned = await api(toEvent('POST', '/vwr-api/vwr/assign/concert'));
    expect(assigned).toMatchObject({ statusCode: 200, headers: { 'cache-control': 'no-store' } });
    const { requestId, position } = JSON.parse(assigned.body);
    expect(position).toBe(1);
    expect(assigned.cookies).toHaveLength(2);
    for (const cookie of assigned.cookies) expect(cookie).toMatch(/; Secure$/);
    const cookies = assigned.cookies.map((cookie) => cookie.split(';')[0]!);

    expect(await advance({}, { getRemainingTimeInMillis: () => 0 })).toEqual({ passes: 1, failed: 0 });
    await vi.waitFor(async () => {
      const checked = await api(toEvent('GET', `/vwr/check/concert/${requestId}`, cookies));
      expect(JSON.parse(checked.body)).toMatchObject({ admitted: true, position: 1, token: expect.any(String) });
    }, 10_000);
    expect((await api(toEvent('GET', `/vwr/check/concert/${requestId}`))).statusCode).toBe(404);
    const page = await api(toEvent('GET', '/vwr/concert'));
    expect([page.statusCode, page.body.startsWith('<!doctype html>')]).toEqual([200, true]);
    expect((await api(toEvent('GET', '/api/queue/status/concert'))).statusCode).toBe(404);
  });

  it('answer a REST API in its own form, with the fields that old pages read', async () => {
    const { handler: api } = await import('../../lambda/vwr-api.ts');
    const { store, client } = await openStore(server);
    onTestFinished(() => client.destroy());
    await store.move('rest', { to: 'opening', activation: 'first', after: undefined });
    await store.move('rest', { to: 'active', activation: 'first', base: 0 });

    const body = Buffer.from(JSON.stringify({ userId: 'anon-1' })).toString('base64');
    const json = { multiValueHeaders: { Host: ['vwr.example'], 'Content-Type': ['application/json'] } };
    const assigned = await api(toRestEvent('POST', '/vwr/assign/rest', { ...json, body, isBase64Encoded: true }));
    expect(assigned).toMatchObject({ statusCode: 200, multiValueHeaders: { 'cache-control': ['no-store'] } });
    expect(assigned).not.toHaveProperty('cookies');
    const { requestId } = JSON.parse(assigned.body);
    const set = assigned.multiValueHeaders['set-cookie']!;
    expect(set).toHaveLength(2);

    const check = `/vwr/check/rest/${requestId}`;
    const cookies = { multiValueHeaders: { Host: ['vwr.example'], Cookie: set.map((one) => one.split(';')[0]!) } };
    const query = { multiValueQueryStringParameters: { userId: ['anon 1&x=y'] } };
    const checked = await api(toRestEvent('GET', check, { ...cookies, ...query }));
    expect(JSON.parse(checked.body)).toMatchObject({ admitted: false, position: 1, ahead: 1, totalInQueue: 1 });
    // From the console: single values only.
    const headers = { Host: 'vwr.example', Cookie: set.map((one) => one.split(';')[0]!).join('; ') };
    const { multiValueHeaders: _, ...plain } = toRestEvent('GET', check, { headers });
    expect(JSON.parse((await api(plain)).body)).toMatchObject({ position: 1 });

    const refused = await api(toRestEvent('GET', check));
    expect([refused.statusCode, JSON.parse(refused.body).message]).toEqual([404, expect.any(String)]);
    expect((await api(toRestEvent('GET', '/vwr/a b/%zz'))).statusCode).toBeGreaterThanOrEqual(400);
  });
});

async function openStore({ endpoint }: DynamoDbServer) {
  const client = createDynamoDbClient(endpoint);
  await createTables(client, 'fairline');
  return {
    client,
    store: new DynamoDbTier1Store({ client, prefix: 'fairline', placeTtlMs: 60_000, clock: systemClock }),
  };
}
