/** One request and its response on one connection. Returns the connection and the room it took, exactly once. */
import type { Client, Dispatcher } from 'undici';

/**
 * What occupies a connection. `request`: waits for its response. `upload`: its body is still arriving. `stream`: its
 * response lasts, or it has become a WebSocket.
 */
export type Occupation = 'request' | 'upload' | 'stream';

/** A request at an upstream, from its dispatch to the end of its response. */
export interface Dispatched {
  /** From now on it counts as `occupation`. False if there is no room: it counts as before. */
  moveTo(occupation: Occupation): boolean;
  /** The handler gets the error, unless the response is complete. */
  abort(error: Error): void;
}

/** Where an exchange gets its connection and its room from. */
export interface Connections {
  tryTake(occupation: Occupation): boolean;
  giveBack(occupation: Occupation): void;
  /** Takes back the connection of an exchange that is complete. */
  reuse(client: Client): void;
  /** Closes the connection of an exchange that failed. */
  discard(client: Client): void;
  /** False if the exchange was not waiting for room. */
  stopWaiting(exchange: Exchange): boolean;
}

export class Exchange implements Dispatcher.DispatchHandler, Dispatched {
  readonly #connections: Connections;
  readonly #request: Dispatcher.DispatchOptions;
  readonly #handler: Dispatcher.DispatchHandler;
  #occupation: Occupation;
  #client: Client | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #isOver = false;

  constructor(
    connections: Connections,
    request: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
    occupation: Occupation,
  ) {
    this.#connections = connections;
    this.#request = request;
    this.#handler = handler;
    this.#occupation = occupation;
  }

  begin(client: Client): void {
    this.#client = client;
    try {
      client.dispatch(this.#request, this);
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  refuse(error: Error): void {
    this.#isOver = true;
    this.#handler.onResponseError?.(this.#controller!, error);
  }

  moveTo(occupation: Occupation): boolean {
    if (occupation === this.#occupation) return true;
    if (this.#client === undefined || this.#isOver || !this.#connections.tryTake(occupation)) return false;
    const before = this.#occupation;
    this.#occupation = occupation;
    this.#connections.giveBack(before);
    return true;
  }

  abort(error: Error): void {
    if (this.#isOver) return;
    if (this.#connections.stopWaiting(this)) this.refuse(error);
    // Without a controller the connection is still being opened.
    else if (this.#controller === undefined) this.#fail(error);
    else this.#controller.abort(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(new Error('given up before it was sent'));
    else this.#handler.onRequestStart?.(controller, context);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
    message?: string,
  ): void {
    this.#handler.onResponseStart?.(controller, status, headers as never, message);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#handler.onResponseData?.(controller, chunk);
  }

  onResponseEnd(
    controller: Dispatcher.DispatchController,
    trailers: Record<string, string | string[] | undefined>,
  ): void {
    if (this.#isOver) return;
    this.#isOver = true;
    // In the next turn: undici checks a connection for stray bytes only if nothing is dispatched while a response ends.
    setImmediate(() => {
      this.#connections.reuse(this.#client!);
      this.#connections.giveBack(this.#occupation);
    });
    this.#handler.onResponseEnd?.(controller, trailers as never);
  }

  onResponseError(_: unknown, error: Error): void {
    this.#fail(error);
  }

  #fail(error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#connections.discard(this.#client!);
    this.#connections.giveBack(this.#occupation);
    this.#handler.onResponseError?.(this.#controller!, error);
  }
}
