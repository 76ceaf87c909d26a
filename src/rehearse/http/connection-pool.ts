/** The connections to one server that requests use in turn. A request waits for a free one if all are busy. */
import { Queue } from '../../platform/collections/queue.ts';
import { Connection, type ConnectionOwner, type ResponseHandler, type ServerAddress } from './connection.ts';

export interface PoolOptions {
  server: ServerAddress;
  /** Maximum number of connections. */
  connections: number;
  /** Limit for a response, and for an idle connection. */
  silenceMs: number;
}

interface PooledRequest {
  method: string;
  request: string;
  handler: ResponseHandler;
}

export class ConnectionPool implements ConnectionOwner {
  readonly #options: PoolOptions;
  readonly #all = new Set<Connection>();
  /** The last used is taken first, so that the others age and are closed. */
  readonly #idle: Connection[] = [];
  readonly #waiting = new Queue<PooledRequest>();

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  send(pooled: PooledRequest): void {
    this.#waiting.push(pooled);
    this.#sendNext();
  }

  onIdle(connection: Connection): void {
    this.#idle.push(connection);
    this.#sendNext();
  }

  onClosed(connection: Connection): void {
    if (!this.#all.delete(connection)) return;
    const at = this.#idle.indexOf(connection);
    if (at !== -1) this.#idle.splice(at, 1);
    this.#sendNext();
  }

  close(): void {
    this.#waiting.clear();
    for (const connection of this.#all) connection.destroy();
  }

  #sendNext(): void {
    if (this.#waiting.size === 0) return;
    const connection = this.#takeIdle() ?? this.#open();
    if (connection === undefined) return;
    const { method, request, handler } = this.#waiting.shift()!;
    connection.send(method, request, handler);
  }

  #takeIdle(): Connection | undefined {
    for (let last = this.#idle.pop(); last !== undefined; last = this.#idle.pop()) {
      if (!last.isStale) return last;
      this.#all.delete(last);
      last.destroy();
    }
    return undefined;
  }

  #open(): Connection | undefined {
    const { server, connections, silenceMs } = this.#options;
    if (this.#all.size >= connections) return undefined;
    const connection = new Connection(server, silenceMs, this);
    this.#all.add(connection);
    return connection;
  }
}
