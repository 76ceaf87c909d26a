import { describe, expect, it } from 'vitest';
import { createTestApp } from '../support/test-app.ts';

describe('the application', () => {
  it('reports liveness and readiness', async () => {
    const { anyone } = await createTestApp();
    expect((await anyone('GET', '/health')).json()).toEqual({ status: 'ok' });
    expect((await anyone('GET', '/ready')).json()).toEqual({ status: 'ready' });
  });

  it('describes every endpoint in the OpenAPI document', async () => {
    const { anyone } = await createTestApp();
    const { openapi, paths } = (await anyone('GET', '/openapi.json')).json();
    expect(openapi).toBe('3.1.0');
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described).toEqual(
      expect.arrayContaining([
        'POST /api/queue/check/{eventId}',
        'GET /api/queue/status/{eventId}',
        'POST /api/queue/heartbeat/{eventId}',
        'POST /api/queue/leave/{eventId}',
        'GET /api/queue/admin/{eventId}',
        'PUT /api/queue/admin/threshold/{eventId}',
        'POST /api/queue/admin/clear/{eventId}',
        'GET /api/admin/rooms',
        'GET /api/admin/rooms/{eventId}',
        'PUT /api/admin/rooms/{eventId}',
      ]),
    );
    // The same under /api/v1 is described once.
    expect(described.filter((endpoint) => endpoint.includes('/api/v1/'))).toEqual([]);
  });

  it('keeps a caller’s request id, and replaces one with unsafe characters', async () => {
    const { anyone } = await createTestApp();
    const kept = await anyone('GET', '/nowhere', { headers: { 'x-request-id': 'abc-123' } });
    expect([kept.headers['x-request-id'], kept.json().error.trace_id]).toEqual(['abc-123', 'abc-123']);
    const replaced = await anyone('GET', '/nowhere', { headers: { 'x-request-id': 'a b\u007f<script>' } });
    expect(replaced.json().error.trace_id).toMatch(/^[\w-]+$/);
  });

  it('answers an unknown path with an error of the common shape', async () => {
    const { anyone } = await createTestApp();
    const answer = await anyone('GET', '/nowhere');
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toEqual({
      error: { code: 'NOT_FOUND', message: expect.any(String), trace_id: expect.any(String) },
      message: 'No such endpoint.',
    });
  });

  it('counts joins, polls, admissions and visitors by state', async () => {
    const { anyone, operator, as, context } = await createTestApp();
    await operator('PUT', '/api/admin/rooms/concert', { body: { maxActive: 1 } });
    for (const user of ['a', 'b', 'b']) await as(user)('POST', '/api/queue/check/concert');
    await as('b')('GET', '/api/queue/status/concert');
    await as('a')('POST', '/api/queue/leave/concert');
    const tick = await context.line.admissions.tick('concert');
    if (tick.outcome === 'ticked') context.lineMetrics.countTick('concert', tick, 0.001);
    const metrics = (await anyone('GET', '/metrics')).body;
    for (const line of [
      'fairline_joins_total{outcome="joined"} 2',
      'fairline_joins_total{outcome="already"} 1',
      'fairline_polls_total 1',
      'fairline_leaves_total{from="active"} 1',
      'fairline_admissions_total{event="concert"} 1',
      'fairline_visitors{event="concert",state="admitted"} 1',
      'fairline_visitors{event="concert",state="waiting"} 0',
      'fairline_max_active{event="concert"} 1',
      'fairline_tick_seconds_count 1',
    ]) {
      expect(metrics).toContain(line);
    }
    expect(metrics).toContain(
      'fairline_http_request_seconds_count{method="POST",route="/api/queue/check/:eventId",status="200"} 3',
    );
  });
});
