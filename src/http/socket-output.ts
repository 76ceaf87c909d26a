/**
 * Writes a stream to its socket. A response would hold each write back until the end of the tick and pass it through two more
 * layers, which is a third of the cost of an update that goes to every stream; the bytes are the same.
 */
import type { ServerResponse } from 'node:http';
import type { StreamOutput } from './stream.ts';

export class SocketOutput implements StreamOutput {
  readonly #response: ServerResponse;

  /** The headers must have been sent, and the body must not be chunked. */
  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get writableLength(): number {
    return this.#response.writableLength;
  }

  get destroyed(): boolean {
    return this.#response.destroyed;
  }

  write(text: string): unknown {
    return this.#response.socket?.write(text);
  }

  /** By the response, which then closes the connection. */
  end(text: string): unknown {
    return this.#response.end(text);
  }

  destroy(): unknown {
    return this.#response.destroy();
  }
}
