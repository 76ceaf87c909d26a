/** A minimal OpenTelemetry collector: accepts OTLP traces in JSON and stores their spans. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  kind: number;
  attributes: Record<string, unknown>;
  /** 2 is an error. */
  status: number | undefined;
}

export interface TraceCollector {
  endpoint: string;
  spans: Span[];
  /** Names of the services that sent spans. */
  services: Set<string>;
  /** All request bodies, concatenated. */
  text(): string;
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

export async function startTraceCollector(): Promise<TraceCollector> {
  let text = '';
  const spans: Span[] = [];
  const services = new Set<string>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.method === 'POST' && request.url === '/v1/traces') {
      text += body;
      for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
        services.add(String(toObject(resource.attributes)['service.name']));
        for (const { spans: sent } of scopeSpans) spans.push(...sent.map(toSpan));
      }
    }
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, services, text: () => text };
}

function toSpan(sent: Span & { attributes: Attribute[]; status?: { code?: number } }): Span {
  const { traceId, spanId, parentSpanId, name, kind, attributes, status } = sent;
  return {
    traceId,
    spanId,
    parentSpanId: parentSpanId || undefined,
    name,
    kind,
    attributes: toObject(attributes as Attribute[]),
    status: status?.code,
  };
}

function toObject(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
