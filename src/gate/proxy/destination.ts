/** Where requests are sent on to: one site, over connections that are kept. */
import { Agent, type ClientRequest, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps, Agent as TlsAgent } from 'node:https';

export interface Destination {
  open(options: { method: string; path: string; headers: string[] }): ClientRequest;
  close(): void;
}

export const CONNECTIONS_AT_MOST = 1024;
const IDLE_CONNECTIONS = 256;

/** `origin`: `http://host:port`, without a path. */
export function createDestination(origin: string): Destination {
  const { protocol, hostname, port } = new URL(origin);
  const isTls = protocol === 'https:';
  const pool = { keepAlive: true, maxSockets: CONNECTIONS_AT_MOST, maxFreeSockets: IDLE_CONNECTIONS };
  const agent = isTls ? new TlsAgent(pool) : new Agent(pool);
  const send = isTls ? requestHttps : requestHttp;
  // An IPv6 address stands in brackets in a URL, and without them everywhere else.
  const host = hostname.replace(/^\[|\]$/g, '');
  const target: RequestOptions = { host, port: port === '' ? (isTls ? 443 : 80) : Number(port), agent };
  return {
    open: (options) => send({ ...target, ...options, ...(isTls ? { servername: host } : {}) }),
    close: () => agent.destroy(),
  };
}
