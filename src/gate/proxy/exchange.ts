/** One request and its response on one connection. Returns the connection and the room it took, exactly once. */
import type { ResponseHead } from '../../platform/http-client/response-parser.ts';
import type { ConnectionEvents, UpstreamConnection, UpstreamRequest } from './upstream-connection.ts';

/**
 * What occupies a connection. `request`: waits for its response. `upload`: its body is still arriving. `stream`: its
 * response lasts, or it has become a WebSocket.
 */
export type Occupation = 'request' | 'upload' | 'stream';

/** Gets a response. After `onEnd` or `onError` nothing follows. */
export interface ResponseHandler {
  onHead(head: ResponseHead): void;
  /** The bytes are only valid during the call. */
  onData(chunk: Buffer): void;
  onEnd(): void;
  onError(error: Error & { code?: string }): void;
}

/** A request at an upstream, from its dispatch to the end of its response. */
export interface Dispatched {
  /** From now on it counts as `occupation`. False if there is no room: it counts as before. */
  moveTo(occupation: Occupation): boolean;
  /** The handler gets the error, unless the response is complete. */
  abort(error: Error): void;
  pause(): void;
  resume(): void;
}

/** Where an exchange gets its connection and its room from. */
export interface Connections {
  tryTake(occupation: Occupation): boolean;
  giveBack(occupation: Occupation): void;
  /** Takes back the connection of an exchange that is complete. */
  reuse(connection: UpstreamConnection): void;
  /** Closes the connection of an exchange, or forgets one that is closed. */
  discard(connection: UpstreamConnection): void;
  /** False if the exchange was not waiting for room. */
  stopWaiting(exchange: Exchange): boolean;
}

export class Exchange implements ConnectionEvents, Dispatched {
  readonly #connections: Connections;
  readonly #request: UpstreamRequest;
  readonly #handler: ResponseHandler;
  #occupation: Occupation;
  #connection: UpstreamConnection | undefined;
  #isOver = false;

  constructor(connections: Connections, request: UpstreamRequest, handler: ResponseHandler, occupation: Occupation) {
    this.#connections = connections;
    this.#request = request;
    this.#handler = handler;
    this.#occupation = occupation;
  }

  begin(connection: UpstreamConnection): void {
    this.#connection = connection;
    try {
      connection.send(this.#request, this);
    } catch (error) {
      this.onError(error as Error);
    }
  }

  refuse(error: Error): void {
    this.#isOver = true;
    this.#handler.onError(error);
  }

  moveTo(occupation: Occupation): boolean {
    if (occupation === this.#occupation) return true;
    if (this.#connection === undefined || this.#isOver || !this.#connections.tryTake(occupation)) return false;
    const before = this.#occupation;
    this.#occupation = occupation;
    this.#connections.giveBack(before);
    return true;
  }

  abort(error: Error): void {
    if (this.#isOver) return;
    if (this.#connections.stopWaiting(this)) this.refuse(error);
    else this.onError(error);
  }

  pause(): void {
    if (!this.#isOver) this.#connection?.pause();
  }

  resume(): void {
    if (!this.#isOver) this.#connection?.resume();
  }

  onHead(head: ResponseHead): void {
    if (!this.#isOver) this.#handler.onHead(head);
  }

  onData(chunk: Buffer): void {
    if (!this.#isOver) this.#handler.onData(chunk);
  }

  onEnd(isReusable: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    // First the handler: the room may go to a request that fails at once.
    this.#handler.onEnd();
    if (isReusable) this.#connections.reuse(this.#connection!);
    else this.#connections.discard(this.#connection!);
    this.#connections.giveBack(this.#occupation);
  }

  onError(error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#connections.discard(this.#connection!);
    this.#connections.giveBack(this.#occupation);
    this.#handler.onError(error);
  }
}
