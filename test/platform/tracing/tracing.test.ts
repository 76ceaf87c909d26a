/** Traces that continue from one process to the next through messages. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { startOpenTelemetry } from '../../../src/platform/tracing/open-telemetry.ts';
import { startTraceCollector } from '../../support/trace-collector.ts';

const PRODUCER = 4;
const CONSUMER = 5;

async function startTracing(sampledShare = 1) {
  const collector = await startTraceCollector();
  const { endpoint } = collector;
  const tracing = startOpenTelemetry({ endpoint, serviceName: 'tests', version: '0', sampledShare });
  onTestFinished(() => tracing.close());
  return { tracing, collector };
}

describe('a trace across messages', () => {
  const orders = { system: 'kafka', topic: 'orders' };

  it('leads from a request through the sender to the consumer of a message', async () => {
    const { tracing, collector } = await startTracing();
    const request = tracing.beginRequest({ method: 'POST', headers: {}, requestId: 'r' });
    let kept: Record<string, string> | undefined;
    request.enter(() => {
      kept = tracing.inject();
    });
    request.end({ route: '/orders', status: 201 });
    const sent = tracing.beginMessage({ ...orders, operation: 'send', headers: kept! })!;
    sent.end();
    const processed = tracing.beginMessage({ ...orders, operation: 'process', group: 'cooks', headers: sent.headers })!;
    let inside: Record<string, string> | undefined;
    await processed.enter(async () => {
      await Promise.resolve();
      inside = tracing.inject();
    });
    processed.end();
    await tracing.close();
    const [asked, produced, consumed] = collector.spans;
    expect([asked, produced, consumed].map((span) => span?.name)).toEqual([
      'POST /orders',
      'send orders',
      'process orders',
    ]);
    expect([produced?.kind, consumed?.kind]).toEqual([PRODUCER, CONSUMER]);
    expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect([produced?.parentSpanId, consumed?.parentSpanId]).toEqual([asked?.spanId, produced?.spanId]);
    expect(inside?.traceparent).toContain(consumed?.spanId);
    expect(consumed?.attributes).toEqual({
      'messaging.system': 'kafka',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': 'orders',
      'messaging.consumer.group.name': 'cooks',
    });
  });

  it('is absent if a message names none, and nothing is injected outside a request', async () => {
    const { tracing, collector } = await startTracing();
    expect(tracing.inject()).toBeUndefined();
    for (const headers of [
      {},
      { traceparent: 'nonsense' },
      { traceparent: `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01` },
    ]) {
      expect(tracing.beginMessage({ ...orders, operation: 'process', headers })).toBeUndefined();
    }
    await tracing.close();
    expect(collector.spans).toEqual([]);
  });

  it('records the kind of a failure but not its message', async () => {
    const { tracing, collector } = await startTracing();
    const headers = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
    const processed = tracing.beginMessage({ ...orders, operation: 'process', headers })!;
    processed.end(new TypeError('visitor 42 has no token'));
    processed.end();
    await tracing.close();
    expect(collector.spans).toMatchObject([{ status: 2, attributes: { 'error.type': 'TypeError' } }]);
    expect(collector.text()).not.toContain('visitor 42');
  });

  it('is sampled by the configured share unless the caller has decided', async () => {
    const { tracing, collector } = await startTracing(0);
    const parents = [
      undefined,
      `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
      `00-${'c'.repeat(32)}-${'d'.repeat(16)}-00`,
    ];
    for (const traceparent of parents) {
      tracing
        .beginRequest({ method: 'GET', headers: { traceparent }, requestId: 'r' })
        .end({ route: '/', status: 200 });
    }
    await tracing.close();
    expect(collector.spans).toMatchObject([{ traceId: 'a'.repeat(32), parentSpanId: 'b'.repeat(16) }]);
  });
});
