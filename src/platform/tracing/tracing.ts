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
  beginRequest(request: { method: string; headers: Carrier; requestId: string }): RequestTrace;
  /** The headers by which whoever gets a message goes on with the trace of what is being done now; none if nothing is. */
  inject(): Record<string, string>;
  /** Does `work` as a part of the trace that a message's headers name. */
  goOn<T>(
    message: { name: string; kind: 'producer' | 'consumer'; headers: Carrier },
    work: () => Promise<T>,
  ): Promise<T>;
  /** Sends what is left. */
  close(): Promise<void>;
}

export interface RequestTrace {
  /** Whatever is begun in `work`, and later by what it began, belongs to the request. */
  enter(work: () => void): void;
  end(told: { route: string; status: number }): void;
}
