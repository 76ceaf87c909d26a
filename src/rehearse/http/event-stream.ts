/** A response that does not end: a stream of server-sent events on a connection of its own. */
import { StringDecoder } from 'node:string_decoder';
import type { ResponseHead } from '../../platform/http-client/response-parser.ts';
import { Connection, type ResponseHandler, type ServerAddress } from './connection.ts';

export interface StreamLimits {
  /** Limit for the head of the response. */
  headMs: number;
  /** How long the stream may be silent. */
  silenceMs: number;
}

export class EventStream implements ResponseHandler {
  readonly opened: Promise<ResponseHead>;
  readonly #connection: Connection;
  readonly #limits: StreamLimits;
  readonly #decoder = new StringDecoder('utf8');
  /** Text that came before `read` was called. */
  #early = '';
  #isOver = false;
  #onText: ((text: string) => void) | undefined;
  #onOver: (() => void) | undefined;
  #resolve!: (head: ResponseHead) => void;
  #reject!: (error: Error) => void;

  constructor(server: ServerAddress, request: string, limits: StreamLimits) {
    this.#limits = limits;
    this.opened = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    const ignored = () => {};
    this.#connection = new Connection(server, limits.headMs, { onIdle: ignored, onClosed: ignored });
    this.#connection.send('GET', request, this);
  }

  /** Resolves when either side has closed the stream. */
  read(onText: (text: string) => void): Promise<void> {
    return new Promise((resolve) => {
      this.#onText = onText;
      this.#onOver = resolve;
      if (this.#early !== '') onText(this.#early);
      this.#early = '';
      if (this.#isOver) resolve();
    });
  }

  close(): void {
    this.#connection.destroy();
    this.#end();
  }

  onHead(head: ResponseHead): void {
    this.#connection.limitSilence(this.#limits.silenceMs);
    this.#resolve(head);
  }

  onData(chunk: Buffer): void {
    const text = this.#decoder.write(chunk);
    if (this.#onText === undefined) this.#early += text;
    else this.#onText(text);
  }

  onEnd(): void {
    this.#connection.destroy();
    this.#end();
  }

  onError(error: Error): void {
    this.#reject(error);
    this.#end();
  }

  #end(): void {
    this.#isOver = true;
    this.#onOver?.();
  }
}
