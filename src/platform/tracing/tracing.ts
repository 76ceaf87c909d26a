/**
 * Tracing: which calls a request leads to. It is on only if a collector is configured; the OpenTelemetry packages are
 * large and loaded only then.
 */
export interface TracingOptions {
  /** OTLP over HTTP; `/v1/traces` is appended. */
  endpoint: string;
  serviceName: string;
  version: string;
  /** For traces that start here, 0 to 1. A caller that sends a trace has already decided. */
  sampledShare: number;
}

/** Headers of a request or a message with W3C Trace Context: `traceparent`, `tracestate`. */
export type Carrier = Readonly<Record<string, string | string[] | undefined>>;

export interface Tracing {
  /** Starts the span of an incoming request, in the trace of its headers or in a new one. */
  beginRequest(request: { method: string; headers: Carrier; requestId?: string }): RequestTrace;
  /** Headers that continue the current trace in the receiver of a message; undefined if there is no trace. */
  inject(): Record<string, string> | undefined;
  /** Starts the span of a message that is sent or processed; undefined if its headers name no trace. */
  beginMessage(message: TracedMessage): MessageTrace | undefined;
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

export interface TracedMessage {
  operation: 'send' | 'process';
  /** The message system: `kafka`, `postgresql`. */
  system: string;
  topic: string;
  /** The consumer group. */
  group?: string;
  headers: Carrier;
}

export interface MessageTrace {
  /** Headers that continue the trace in the receiver. */
  readonly headers: Record<string, string>;
  /** Everything that `work` starts, directly or later, belongs to the message. */
  enter<T>(work: () => T): T;
  /** Only the first call counts. `error`: why the message failed. */
  end(error?: unknown): void;
}

export interface RequestTrace {
  /** Everything that `work` starts, directly or later, belongs to the request. */
  enter(work: () => void): void;
  /** `status` is undefined if there was no response; `route` if the server has no routes. */
  end(told: { route?: string; status: number | undefined }): void;
}
