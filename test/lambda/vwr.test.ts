/** The Lambda functions of tier 1, invoked as AWS does, on a DynamoDB server. */
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import type { HttpEvent } from '../../lambda/http-event.ts';
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

  function toEvent(method: string, rawPath: string, cookies: string[] = []): HttpEvent {
    return {
      rawPath,
      rawQueryString: '',
      headers: { host: 'vwr.example', 'x-forwarded-for': '198.51.100.7', 'accept-encoding': 'gzip' },
      cookies,
      isBase64Encoded: false,
      requestContext: { http: { method, sourceIp: '203.0.113.9' } },
    };
  }

  it('assign a number, serve it and issue the token, sharing only the tables', async () => {
    const client = createDynamoDbClient(server.endpoint);
    onTestFinished(() => client.destroy());
    await createTables(client, 'fairline');
    const store = new DynamoDbTier1Store({ client, prefix: 'fairline', placeTtlMs: 60_000, clock: systemClock });
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
});
