/** One open response: what it was last told, and a bound on what waits to be read. */

/** As much of a response as a stream needs. */
export interface StreamOutput {
  /** Bytes written and not yet taken by the network. */
  readonly writableLength: number;
  readonly destroyed: boolean;
  write(text: string): unknown;
  end(text: string): unknown;
  destroy(): unknown;
}

/** How long a client may take to read the last words before the connection is cut. */
const LINGER_MS = 1_000;

export class Stream {
  /** Of the `room` event this client has. */
  roomId = '';
  /** When something was last written. */
  writtenAt = 0;
  readonly #output: StreamOutput;
  readonly #slowAboveBytes: number;

  constructor(output: StreamOutput, slowAboveBytes: number) {
    this.#output = output;
    this.#slowAboveBytes = slowAboveBytes;
  }

  /** `slow`: the client reads so little that it should be dropped; nothing was written. */
  write(text: string, now: number): 'written' | 'slow' {
    // The network has closed it and the news is on its way here.
    if (this.#output.destroyed) return 'written';
    if (this.#output.writableLength > this.#slowAboveBytes) return 'slow';
    this.#output.write(text);
    this.writtenAt = now;
    return 'written';
  }

  end(text: string): void {
    if (this.#output.destroyed) return;
    this.#output.end(text);
    setTimeout(() => this.#output.destroy(), LINGER_MS).unref();
  }
}
