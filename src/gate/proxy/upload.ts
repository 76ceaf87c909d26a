/**
 * The body of a visitor's request. A short body is read before the site is involved. A body that is long or slow is an
 * upload: it is streamed to the site while it arrives, and must keep arriving.
 */
import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';

/** Ordinary forms and API calls fit in, and arrive at once. */
const SHORT_BYTES = 16 * 1024;
const SHORT_MS = 200;
/** As slow as a bad mobile connection. */
const LEAST_BYTES_PER_SECOND = 500;

export class SlowUploadError extends Error {
  override readonly name = 'SlowUploadError';
}

export class SlowUpstreamError extends Error {
  override readonly name = 'SlowUpstreamError';
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Calls `then` once, with the whole body or with what has arrived so far. Never, if the visitor disconnects first. */
export function readShortBody(
  visitor: IncomingMessage,
  then: (body: { chunks: Buffer[]; isWhole: boolean }) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const finish = (isWhole: boolean) => {
    clearTimeout(timer);
    visitor.off('data', onData).off('end', onEnd).off('close', onClose);
    if (!isWhole) visitor.pause();
    then({ chunks, isWhole });
  };
  const onData = (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size > SHORT_BYTES) finish(false);
  };
  const onEnd = () => finish(true);
  const onClose = () => clearTimeout(timer);
  const timer = setTimeout(() => finish(false), SHORT_MS);
  visitor.on('data', onData).on('end', onEnd).on('close', onClose);
}

export interface UploadOptions {
  /** In each period of this length the visitor must send a least number of bytes, and the site must read some. */
  periodMs: number;
  onStalled: (error: SlowUploadError | SlowUpstreamError) => void;
  onComplete: () => void;
}

/** A stream of its own, because a failing request destroys its body: the visitor's socket must stay open for the error. */
export class Upload {
  readonly stream: Transform;
  readonly #visitor: IncomingMessage;
  readonly #options: UploadOptions;
  #timer: NodeJS.Timeout | undefined;
  #passed = 0;
  #passedBefore = 0;

  constructor(visitor: IncomingMessage, chunks: readonly Buffer[], options: UploadOptions) {
    this.#visitor = visitor;
    this.#options = options;
    this.stream = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.#passed += chunk.length;
        done(null, chunk);
      },
    });
    for (const chunk of chunks) this.stream.write(chunk);
    this.#passedBefore = this.#passed;
  }

  begin(): void {
    this.#timer = setInterval(() => this.#check(), this.#options.periodMs);
    this.stream.on('error', () => {});
    this.stream.once('close', () => clearInterval(this.#timer));
    this.#visitor.once('end', () => {
      clearInterval(this.#timer);
      this.#options.onComplete();
    });
    this.#visitor.once('close', () => {
      if (!this.#visitor.readableEnded) this.stream.destroy();
    });
    this.#visitor.pipe(this.stream);
  }

  #check(): void {
    const passed = this.#passed - this.#passedBefore;
    this.#passedBefore = this.#passed;
    if (this.stream.writableNeedDrain) {
      // The site does not read, so the visitor cannot send.
      if (passed === 0) this.#options.onStalled(new SlowUpstreamError('the site does not read the upload'));
    } else if (passed < (LEAST_BYTES_PER_SECOND * this.#options.periodMs) / 1000) {
      this.#options.onStalled(new SlowUploadError('the visitor sends the upload too slowly'));
    }
  }
}
