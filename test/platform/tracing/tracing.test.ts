/** What a message carries from one process to the next, as records will. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { startOpenTelemetry } from '../../../src/platform/tracing/open-telemetry.ts';
import { startTraceCollector } from '../../support/trace-collector.ts';

async function startTracing(sampledShare = 1) {
  const collector = await startTraceCollector();
  const { endpoint } = collector;
  const tracing = startOpenTelemetry({ endpoint, serviceName: 'tests', version: '0', sampledShare });
  onTestFinished(() => tracing.close());
  return { tracing, collector };
}

describe('a trace that goes on by messages', () => {
  it('leads from a request through whoever sends the message to whoever gets it', async () => {
    const { tracing, collector } = await startTracing();
    const request = tracing.beginRequest({ method: 'POST', headers: {}, requestId: 'r' });
    let kept: Record<string, string> = {};
    request.enter(() => {
      kept = tracing.inject();
    });
    request.end({ route: '/orders', status: 201 });
    let sent: Record<string, string> = {};
    await tracing.goOn({ name: 'send orders', kind: 'producer', headers: kept }, async () => {
      await Promise.resolve();
      sent = tracing.inject();
    });
    await tracing.goOn({ name: 'process orders', kind: 'consumer', headers: sent }, async () => {});
    await tracing.close();
    const [asked, produced, consumed] = collector.spans;
    expect([asked, produced, consumed].map((span) => span?.name)).toEqual([
      'POST /orders',
      'send orders',
      'process orders',
    ]);
    expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect([produced?.parentSpanId, consumed?.parentSpanId]).toEqual([asked?.spanId, produced?.spanId]);
  });

  it('begins anew where a message carries none, and nothing is carried where nothing is being done', async () => {
    const { tracing, collector } = await startTracing();
    expect(tracing.inject()).toEqual({});
    await tracing.goOn({ name: 'process', kind: 'consumer', headers: { traceparent: 'nonsense' } }, async () => {});
    await tracing.close();
    expect(collector.spans).toMatchObject([{ name: 'process', parentSpanId: undefined }]);
  });

  it('tells of a failure by its kind and not by its words, and hands it on', async () => {
    const { tracing, collector } = await startTracing();
    const work = tracing.goOn({ name: 'process', kind: 'consumer', headers: {} }, async () => {
      throw new TypeError('visitor 42 has no token');
    });
    await expect(work).rejects.toThrow(TypeError);
    await tracing.close();
    expect(collector.spans).toMatchObject([{ status: 2, attributes: { 'error.type': 'TypeError' } }]);
    expect(collector.text()).not.toContain('visitor 42');
  });

  it('is left out where the share of traces says so, unless the caller has decided otherwise', async () => {
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
