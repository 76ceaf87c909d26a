/** Where requests are sent on to: one site, over connections that are kept. */
import { type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type Dispatcher, Pool } from 'undici';

export interface Destination {
  /** undici's own handlers, without its streams and promises: Node's client took three times as long for a request. */
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /** For a change of protocol, on a connection of its own. */
  open(options: { method: string; path: string; headers: string[] }): ClientRequest;
  close(): void;
}

export const CONNECTIONS_AT_MOST = 1024;
/** How long a site may send nothing in the middle of an answer: a stream of events has its heartbeats. */
const ANSWER_IDLE_MS = 300_000;

/** `origin`: `http://host:port`, without a path. */
export function createDestination(origin: string): Destination {
  const { protocol, hostname, port } = new URL(origin);
  const isTls = protocol === 'https:';
  // Until it begins to answer, a request has a time limit of its own (forward.ts).
  const pool = new Pool(origin, { connections: CONNECTIONS_AT_MOST, headersTimeout: 0, bodyTimeout: ANSWER_IDLE_MS });
  const send = isTls ? requestHttps : requestHttp;
  // An IPv6 address stands in brackets in a URL, and without them everywhere else.
  const host = hostname.replace(/^\[|\]$/g, '');
  const target = { host, port: port === '' ? (isTls ? 443 : 80) : Number(port), agent: false as const };
  return {
    dispatch: (request, handler) => void pool.dispatch(request, handler),
    open: (options) => send({ ...target, ...options, ...(isTls ? { servername: host } : {}) }),
    close: () => void pool.destroy().catch(() => {}),
  };
}
