/** One open SSE response, with a bound on unread bytes. */

/** The part of ServerResponse that a stream uses. */
export interface StreamOutput {
  /** Bytes written but not yet handed to the network. */
  readonly writableLength: number;
  readonly destroyed: boolean;
  write(text: string): unknown;
  end(text: string): unknown;
  destroy(): unknown;
}

/** How long a client may take to read the last event before the connection is destroyed. */
const LINGER_MS = 1_000;

/** `message`: unnamed messages, for clients that listen to nothing else. */
export type StreamFormat = 'named' | 'message';

export class Stream {
  format: StreamFormat = 'named';
  /** Id of the last `room` event sent to this client. */
  roomId = '';
  /** The page that the visitor wanted. */
  wanted: string | undefined;
  /** Time of the last write. */
  writtenAt = 0;
  readonly #output: StreamOutput;
  readonly #slowAboveBytes: number;

  constructor(output: StreamOutput, slowAboveBytes: number) {
    this.#output = output;
    this.#slowAboveBytes = slowAboveBytes;
  }

  /** `slow`: the client does not keep up and should be dropped; nothing was written. */
  write(text: string, now: number): 'written' | 'slow' {
    // Already closed by the network; the `close` event will follow.
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
