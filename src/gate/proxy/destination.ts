/**
 * The connections to one upstream, counted by what occupies them. Each request has a connection for itself, so slow
 * uploads and open streams never use up what short requests need.
 */
import { type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type Connections, type Dispatched, Exchange, type Occupation, type ResponseHandler } from './exchange.ts';
import { createOpenSocket, type OpenSocket, UpstreamConnection, type UpstreamRequest } from './upstream-connection.ts';

export type Capacity = Readonly<Record<Occupation, number>>;

/** There is no room for this occupation. Nothing was sent. */
export class FullError extends Error {
  override readonly name = 'FullError';
  readonly occupation: Occupation;

  constructor(occupation: Occupation) {
    super(`the gate has no capacity left for another ${occupation}`);
    this.occupation = occupation;
  }
}

export interface Destination {
  /**
   * A `request` waits if there is no room; anything else fails with a FullError. The handler may be called before this
   * returns.
   */
  dispatch(request: UpstreamRequest, handler: ResponseHandler, occupation?: 'request' | 'upload'): Dispatched;
  /** For a WebSocket upgrade, which counts as a stream until it closes. Throws a FullError. */
  open(options: { method: string; path: string; headers: string[] }): ClientRequest;
  hasRoom(occupation: Occupation): boolean;
  /** What is occupied now. */
  readonly occupied: Capacity;
  close(): void;
}

export const REQUESTS_AT_MOST = 1024;
export const UPLOADS_AT_MOST = 256;
/** Requests that wait for one of the requests above to end. */
const WAITING_AT_MOST = 8 * REQUESTS_AT_MOST;
const IDLE_CHECK_MS = 1_000;

/** `origin`: `http://host:port`, without a path. */
export function createDestination(origin: string, capacity: Capacity): Destination {
  const { protocol, hostname, port } = new URL(origin);
  const isTls = protocol === 'https:';
  const connections = new CountedConnections(origin, capacity);
  const send = isTls ? requestHttps : requestHttp;
  // A URL has an IPv6 address in brackets; sockets take it without.
  const host = hostname.replace(/^\[|\]$/g, '');
  const target = { host, port: port === '' ? (isTls ? 443 : 80) : Number(port), agent: false as const };
  return {
    dispatch: (request, handler, occupation = 'request') => connections.dispatch(request, handler, occupation),
    open(options) {
      if (!connections.hasRoom('stream')) throw new FullError('stream');
      const opened = send({ ...target, ...options, ...(isTls ? { servername: host } : {}) });
      connections.tryTake('stream');
      const giveBack = () => connections.giveBack('stream');
      opened.once('close', giveBack);
      // The socket of a WebSocket lives longer than the request.
      opened.once('upgrade', (_response, socket) => {
        opened.off('close', giveBack);
        socket.once('close', giveBack);
      });
      return opened;
    },
    hasRoom: (occupation) => connections.hasRoom(occupation),
    occupied: connections.occupied,
    close: () => connections.close(),
  };
}

/**
 * A pool. A connection is only in use while an exchange holds it, and one whose exchange failed is not used again.
 */
class CountedConnections implements Connections {
  readonly occupied: Record<Occupation, number> = { request: 0, upload: 0, stream: 0 };
  readonly #capacity: Capacity;
  readonly #open: OpenSocket;
  /** The one used last is used first, so that surplus connections become idle and close. */
  readonly #idle: UpstreamConnection[] = [];
  readonly #inUse = new Set<UpstreamConnection>();
  readonly #waiting = new Set<Exchange>();
  /** One timer for all: a timer of its own for each idle connection would be moved with every request. */
  readonly #idleCheck: NodeJS.Timeout;
  #isBeginning = false;

  constructor(origin: string, capacity: Capacity) {
    this.#capacity = capacity;
    this.#open = createOpenSocket(origin);
    this.#idleCheck = setInterval(() => this.#closeIdle(performance.now()), IDLE_CHECK_MS).unref();
  }

  dispatch(request: UpstreamRequest, handler: ResponseHandler, occupation: 'request' | 'upload'): Dispatched {
    const exchange = new Exchange(this, request, handler, occupation);
    if (this.tryTake(occupation)) exchange.begin(this.#takeConnection());
    else if (occupation === 'request' && this.#waiting.size < WAITING_AT_MOST) this.#waiting.add(exchange);
    else exchange.refuse(new FullError(occupation));
    return exchange;
  }

  hasRoom(occupation: Occupation): boolean {
    return this.occupied[occupation] < this.#capacity[occupation];
  }

  tryTake(occupation: Occupation): boolean {
    if (!this.hasRoom(occupation)) return false;
    this.occupied[occupation] += 1;
    return true;
  }

  giveBack(occupation: Occupation): void {
    this.occupied[occupation] -= 1;
    if (occupation === 'request') this.#beginWaiting();
  }

  reuse(connection: UpstreamConnection): void {
    this.#inUse.delete(connection);
    if (this.#idle.length < this.#capacity.request) this.#idle.push(connection);
    else connection.destroy();
  }

  discard(connection: UpstreamConnection): void {
    this.#inUse.delete(connection);
    connection.destroy();
  }

  stopWaiting(exchange: Exchange): boolean {
    return this.#waiting.delete(exchange);
  }

  close(): void {
    clearInterval(this.#idleCheck);
    for (const exchange of [...this.#waiting]) exchange.abort(new Error('the gate is stopping'));
    for (const connection of [...this.#idle, ...this.#inUse]) connection.destroy();
    this.#idle.length = 0;
  }

  #beginWaiting(): void {
    // An exchange that fails at once gives back its room in here. The loop below uses it; a nested one could get too deep.
    if (this.#isBeginning || this.#waiting.size === 0) return;
    this.#isBeginning = true;
    for (const exchange of this.#waiting) {
      if (!this.tryTake('request')) break;
      this.#waiting.delete(exchange);
      exchange.begin(this.#takeConnection());
    }
    this.#isBeginning = false;
  }

  #takeConnection(): UpstreamConnection {
    const now = performance.now();
    let connection = this.#idle.pop();
    // The one used last may be one that the upstream closes early; those below may last longer.
    while (connection !== undefined && connection.idleUntil <= now) {
      connection.destroy();
      connection = this.#idle.pop();
    }
    connection ??= new UpstreamConnection(this.#open, this.#forget);
    this.#inUse.add(connection);
    return connection;
  }

  readonly #forget = (connection: UpstreamConnection): void => {
    const at = this.#idle.lastIndexOf(connection);
    if (at !== -1) this.#idle.splice(at, 1);
  };

  #closeIdle(now: number): void {
    const late = this.#idle.filter(({ idleUntil }) => idleUntil <= now);
    for (const connection of late) {
      this.#forget(connection);
      connection.destroy();
    }
  }
}
