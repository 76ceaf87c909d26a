/**
 * The connections to one upstream, counted by what occupies them. Each request has a connection for itself, so slow
 * uploads and open streams never use up what short requests need.
 */
import { type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { buildConnector, Client, type Dispatcher } from 'undici';
import { type Connections, type Dispatched, Exchange, type Occupation } from './exchange.ts';

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
   * Uses undici's dispatch handlers, without its streams and promises. Node's client took three times as long per request.
   * A `request` waits if there is no room; anything else fails with a FullError. The handler may be called before this
   * returns.
   */
  dispatch(
    request: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
    occupation?: 'request' | 'upload',
  ): Dispatched;
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
/** How long a response may pause. Event streams send heartbeats more often. */
const ANSWER_IDLE_MS = 300_000;

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
 * Not undici's Pool: that marks a connection as busy for ever if its client refuses a request while dispatching it. Here
 * a connection is only in use while an exchange holds it, and one whose exchange failed is not used again.
 */
class CountedConnections implements Connections {
  readonly occupied: Record<Occupation, number> = { request: 0, upload: 0, stream: 0 };
  readonly #capacity: Capacity;
  readonly #create: () => Client;
  /** The one used last is used first, so that surplus connections become idle and close. */
  readonly #idle: Client[] = [];
  readonly #inUse = new Set<Client>();
  readonly #waiting = new Set<Exchange>();
  #isBeginning = false;

  constructor(origin: string, capacity: Capacity) {
    this.#capacity = capacity;
    // forward.ts limits the time to the first byte. All connections share one connector for its TLS sessions.
    const options = { connect: buildConnector({}), headersTimeout: 0, bodyTimeout: ANSWER_IDLE_MS };
    this.#create = () => new Client(origin, options);
  }

  dispatch(
    request: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
    occupation: 'request' | 'upload',
  ): Dispatched {
    const exchange = new Exchange(this, request, handler, occupation);
    if (this.tryTake(occupation)) exchange.begin(this.#takeClient());
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

  reuse(client: Client): void {
    this.#inUse.delete(client);
    if (this.#idle.length < this.#capacity.request) this.#idle.push(client);
    else destroySoon(client);
  }

  discard(client: Client): void {
    this.#inUse.delete(client);
    destroySoon(client);
  }

  stopWaiting(exchange: Exchange): boolean {
    return this.#waiting.delete(exchange);
  }

  close(): void {
    for (const exchange of [...this.#waiting]) exchange.abort(new Error('the gate is stopping'));
    for (const client of [...this.#idle, ...this.#inUse]) destroySoon(client);
    this.#idle.length = 0;
  }

  #beginWaiting(): void {
    // An exchange that fails at once gives back its room in here. The loop below uses it; a nested one could get too deep.
    if (this.#isBeginning) return;
    this.#isBeginning = true;
    for (const exchange of this.#waiting) {
      if (!this.tryTake('request')) break;
      this.#waiting.delete(exchange);
      exchange.begin(this.#takeClient());
    }
    this.#isBeginning = false;
  }

  #takeClient(): Client {
    const client = this.#idle.pop() ?? this.#create();
    this.#inUse.add(client);
    return client;
  }
}

/** Not at once: the client may be calling us. */
function destroySoon(client: Client): void {
  setImmediate(() => void client.destroy().catch(() => {}));
}
