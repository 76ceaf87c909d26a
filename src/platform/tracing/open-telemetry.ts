/** Tracing with OpenTelemetry. Spans are created by hand at the edges; attributes contain no visitors or tokens. */
import { tracingChannel } from 'node:diagnostics_channel';
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import { type Statement, statements } from '../database/statement-events.ts';
import type { Carrier, MessageTrace, RequestTrace, Tracing, TracingOptions } from './tracing.ts';

const SEND_TIMEOUT_MS = 3_000;
const propagator = new W3CTraceContextPropagator();
const setter = {
  set(headers: Record<string, string>, name: string, value: string) {
    headers[name] = value;
  },
};
const getter = {
  keys: (headers: Carrier) => Object.keys(headers),
  get: (headers: Carrier, name: string) => headers[name],
};

export function startOpenTelemetry({ endpoint, serviceName, version, sampledShare }: TracingOptions): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: SEND_TIMEOUT_MS,
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampledShare) }),
    // Bounded: excess spans are dropped, and no request waits for them.
    spanProcessors: [new BatchSpanProcessor(exporter, { exportTimeoutMillis: SEND_TIMEOUT_MS })],
  });
  const tracer = provider.getTracer('fairline', version);
  const contexts = new AsyncLocalStorageContextManager().enable();
  const stopWatching = [watchRedis(tracer, contexts), watchDatabase(tracer, contexts)];

  return {
    beginRequest: ({ method, headers, requestId }) => {
      const parent = propagator.extract(ROOT_CONTEXT, headers, getter);
      const attributes = {
        'http.request.method': method,
        ...(requestId === undefined ? {} : { 'fairline.request_id': requestId }),
      };
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
      return toRequestTrace(span, method, parent, contexts);
    },
    inject() {
      const context = contexts.active();
      return trace.getSpan(context) === undefined ? undefined : toHeaders(context);
    },
    beginMessage({ operation, system, topic, group, headers }) {
      const parent = propagator.extract(ROOT_CONTEXT, headers, getter);
      if (trace.getSpan(parent) === undefined) return undefined;
      const attributes = {
        'messaging.system': system,
        'messaging.operation.name': operation,
        'messaging.operation.type': operation,
        'messaging.destination.name': topic,
        ...(group === undefined ? {} : { 'messaging.consumer.group.name': group }),
      };
      const kind = SpanKind[operation === 'send' ? 'PRODUCER' : 'CONSUMER'];
      const span = tracer.startSpan(`${operation} ${topic}`, { kind, attributes }, parent);
      return toMessageTrace(span, parent, contexts);
    },
    async close() {
      for (const stop of stopWatching) stop();
      // An unreachable collector must not delay or fail the stop.
      await provider.shutdown().catch(() => {});
      contexts.disable();
    },
  };
}

function toRequestTrace(span: Span, method: string, parent: Context, contexts: Contexts): RequestTrace {
  const context = trace.setSpan(parent, span);
  return {
    enter: (work) => contexts.with(context, work),
    end({ route, status }) {
      if (route !== undefined) {
        // The route instead of the URL, which differs by event and can contain a visitor's place.
        span.updateName(`${method} ${route}`);
        span.setAttribute('http.route', route);
      }
      if (status !== undefined) span.setAttribute('http.response.status_code', status);
      if (status !== undefined && status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

function toMessageTrace(span: Span, parent: Context, contexts: Contexts): MessageTrace {
  const context = trace.setSpan(parent, span);
  return {
    headers: toHeaders(context),
    enter: (work) => contexts.with(context, work),
    end(error) {
      if (!span.isRecording()) return;
      if (error !== undefined) fail(span, error);
      span.end();
    },
  };
}

function toHeaders(context: Context): Record<string, string> {
  const headers: Record<string, string> = {};
  propagator.inject(context, headers, setter);
  return headers;
}

type Contexts = AsyncLocalStorageContextManager;

/** What ioredis publishes about each command. Its arguments stay private. */
interface RedisCommand {
  command: string;
  serverAddress?: string;
  serverPort?: number;
  error?: unknown;
}

/** Only commands of a request or a message: those of background roles would bury them. */
function watchRedis(tracer: Tracer, contexts: Contexts): () => void {
  const spans = new WeakMap<object, Span>();
  const channel = tracingChannel<unknown, RedisCommand>('ioredis:command');
  const handlers = {
    start(message: RedisCommand) {
      const parent = contexts.active();
      if (trace.getSpan(parent) === undefined) return;
      const name = message.command.toUpperCase();
      const attributes = {
        'db.system.name': 'redis',
        'db.operation.name': name,
        'server.address': message.serverAddress ?? '',
        'server.port': message.serverPort ?? 0,
      };
      spans.set(message, tracer.startSpan(`redis ${name}`, { kind: SpanKind.CLIENT, attributes }, parent));
    },
    end() {},
    asyncStart() {},
    asyncEnd: (message: RedisCommand) => spans.get(message)?.end(),
    error(message: RedisCommand) {
      const span = spans.get(message);
      if (span !== undefined) fail(span, message.error);
    },
  };
  channel.subscribe(handlers);
  return () => void channel.unsubscribe(handlers);
}

function watchDatabase(tracer: Tracer, contexts: Contexts): () => void {
  const onStatement = (message: unknown) => {
    const parent = contexts.active();
    if (trace.getSpan(parent) === undefined) return;
    const { sql, tookMs, error } = message as Statement;
    const endedAt = performance.timeOrigin + performance.now();
    const name = toOperation(sql);
    const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': name };
    const startTime = endedAt - tookMs;
    const span = tracer.startSpan(`postgresql ${name}`, { kind: SpanKind.CLIENT, attributes, startTime }, parent);
    if (error !== undefined) fail(span, error);
    span.end(endedAt);
  };
  statements.subscribe(onStatement);
  return () => void statements.unsubscribe(onStatement);
}

/** `select hold_seats`, `update seats`: what it does and to what, without the rest. */
function toOperation(sql: string): string {
  const [, verb = 'statement'] = /^\s*(\w+)/.exec(sql) ?? [];
  const [, target] = /\b(?:from|into|update)\s+"?(\w+)/i.exec(sql) ?? [];
  return [verb.toLowerCase(), ...(target === undefined ? [] : [target])].join(' ');
}

/** Only the kind of the error: its message may quote input. */
function fail(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
}
