/**
 * Traces: which calls a request led to, for whoever collects them. Made only where a collector is configured; what makes
 * them is large and loaded only then.
 */
export interface TracingOptions {
  /** OTLP over HTTP; `/v1/traces` is put behind it. */
  endpoint: string;
  serviceName: string;
  version: string;
  /** Of traces that begin here, 0 to 1. Who calls with a trace of their own has decided already. */
  sampledShare: number;
}

/** Headers of a request or a message, as W3C Trace Context has them: `traceparent`, `tracestate`. */
export type Carrier = Readonly<Record<string, string | string[] | undefined>>;

export interface Tracing {
  /** A request that has come in: part of the trace that its headers name, or the beginning of one. */
  beginRequest(request: { method: string; headers: Carrier; requestId?: string }): RequestTrace;
  /** The headers by which whoever gets a message goes on with the trace of what is being done now; undefined if it has none. */
  inject(): Record<string, string> | undefined;
  /** A message that is being sent or processed: part of the trace that its headers name; undefined if they name none. */
  beginMessage(message: TracedMessage): MessageTrace | undefined;
  /** Sends what is left. */
  close(): Promise<void>;
}

export interface TracedMessage {
  operation: 'send' | 'process';
  /** What keeps messages: `kafka`, `postgresql`. */
  system: string;
  topic: string;
  /** Who processes it. */
  group?: string;
  headers: Carrier;
}

export interface MessageTrace {
  /** By which whoever gets the message goes on from here. */
  readonly headers: Record<string, string>;
  /** Whatever is begun in `work`, and later by what it began, belongs to the message. */
  enter<T>(work: () => T): T;
  /** Counts once. `error`: why nothing came of it. */
  end(error?: unknown): void;
}

export interface RequestTrace {
  /** Whatever is begun in `work`, and later by what it began, belongs to the request. */
  enter(work: () => void): void;
  /** Without a status if there was no answer; without a route where there are none. */
  end(told: { route?: string; status: number | undefined }): void;
}
