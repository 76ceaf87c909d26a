/** A pool of keep-alive connections to one upstream. */
import { type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type Dispatcher, Pool } from 'undici';

export interface Destination {
  /** Uses undici's dispatch handlers, without its streams and promises. Node's client took three times as long per request. */
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /** For a WebSocket upgrade, on its own connection. */
  open(options: { method: string; path: string; headers: string[] }): ClientRequest;
  close(): void;
}

export const CONNECTIONS_AT_MOST = 1024;
/** How long a response may pause. Event streams send heartbeats more often. */
const ANSWER_IDLE_MS = 300_000;

/** `origin`: `http://host:port`, without a path. */
export function createDestination(origin: string): Destination {
  const { protocol, hostname, port } = new URL(origin);
  const isTls = protocol === 'https:';
  // forward.ts limits the time to the first byte.
  const pool = new Pool(origin, { connections: CONNECTIONS_AT_MOST, headersTimeout: 0, bodyTimeout: ANSWER_IDLE_MS });
  const send = isTls ? requestHttps : requestHttp;
  // A URL has an IPv6 address in brackets; sockets take it without.
  const host = hostname.replace(/^\[|\]$/g, '');
  const target = { host, port: port === '' ? (isTls ? 443 : 80) : Number(port), agent: false as const };
  return {
    dispatch: (request, handler) => void pool.dispatch(request, handler),
    open: (options) => send({ ...target, ...options, ...(isTls ? { servername: host } : {}) }),
    close: () => void pool.destroy().catch(() => {}),
  };
}
