/**
 * Forwards one request to the upstream and streams the response back, without buffering it. If either side disconnects, the
 * other is closed too.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ResponseHead } from '../../platform/http-client/response-parser.ts';
import { type Flushable, flushTogether } from '../../platform/http-server/flush-batch.ts';
import type { SiteResponse } from '../guard.ts';
import { type Destination, FullError } from './destination.ts';
import type { Dispatched, ResponseHandler } from './exchange.ts';
import { type Failure, toFailure } from './failures.ts';
import { SeenResponse } from './seen-response.ts';
import { hasBody, readShortBody, SlowUpstreamError, Upload } from './upload.ts';
import type { UpstreamRequest } from './upstream-connection.ts';
import { sendWhole, toVisitorHead } from './visitor-response.ts';

export interface Forwarded {
  method: string;
  path: string;
  headers: string[];
}

export interface ForwardOptions {
  destination: Destination;
  /** Limit from the end of the request to the first byte of the response. */
  timeoutMs: number;
  /** See UploadOptions. */
  uploadPeriodMs: number;
  /** Counts an upload against the visitor's address. False if it has too many. */
  tryTakeUpload: () => boolean;
  giveBackUpload: () => void;
  onFailure: (failure: Failure, error: Error) => void;
  /** Reports the head of the response. */
  onResponse: (response: SiteResponse) => void;
  /** Headers for the visitor in addition to those of the site. */
  addHeaders: (site: SiteResponse) => readonly [string, string][];
}

/** Limit for a visitor who does not read the response. */
const ANSWER_IDLE_MS = 300_000;
/** A response that takes longer counts as a stream. */
const LASTING_MS = 10_000;
const SAFE_TO_REPEAT = ['GET', 'HEAD', 'OPTIONS'];
/** Errors seen when the upstream closes an idle keep-alive connection just as it is reused. */
const CLOSED_WHILE_IDLE = ['ECONNRESET', 'EPIPE'];
/** A body up to this size is sent together with its head. */
const SMALL_BYTES = 16 * 1024;

export function forward(
  visitor: IncomingMessage,
  answer: ServerResponse,
  sent: Forwarded,
  options: ForwardOptions,
): void {
  const { method, path, headers } = sent;
  const request: UpstreamRequest = { method, path, headers, body: null };
  const relay = new Relay(visitor, answer, options);
  if (!hasBody(visitor)) {
    relay.send(request, SAFE_TO_REPEAT.includes(sent.method) ? 1 : 0);
    return;
  }
  if (visitor.headers.expect !== undefined && visitor.httpVersion === '1.1') answer.writeContinue();
  readShortBody(visitor, ({ chunks, isWhole }) => {
    if (answer.destroyed) return;
    if (isWhole) relay.send({ ...request, body: Buffer.concat(chunks) }, 0);
    else relay.sendUpload(request, chunks);
  });
}

/** Streams the response. What arrives in one turn of the event loop is written at the end of that turn. */
class Relay implements ResponseHandler, Flushable {
  readonly #visitor: IncomingMessage;
  readonly #answer: ServerResponse;
  readonly #options: ForwardOptions;
  #request!: UpstreamRequest;
  #retries = 0;
  #dispatched: Dispatched | undefined;
  #timer: NodeJS.Timeout | undefined;
  #sentAt = 0;
  #isOver = false;
  #isLeaving = false;
  /** The head of the response, not yet written. */
  #head: ResponseHead | undefined;
  #added: readonly [string, string][] = [];
  /** The latest chunk, not yet written. Text has one byte per character. */
  #held: Buffer | string | undefined;
  #isComplete = false;
  /** What is held is not written. */
  #isFailed = false;
  #isReadingLimited = false;
  #isPaused = false;

  constructor(visitor: IncomingMessage, answer: ServerResponse, options: ForwardOptions) {
    this.#visitor = visitor;
    this.#answer = answer;
    this.#options = options;
  }

  send(request: UpstreamRequest, retries: number): void {
    this.#request = request;
    this.#retries = retries;
    this.#answer.once('close', this.#hangUp);
    this.#sentAt = performance.now();
    this.#awaitResponse();
    this.#dispatched = this.#options.destination.dispatch(request, this);
  }

  sendUpload(request: UpstreamRequest, chunks: readonly Buffer[]): void {
    const { destination, tryTakeUpload, giveBackUpload, uploadPeriodMs } = this.#options;
    if (!tryTakeUpload()) {
      this.onError(new FullError('upload'));
      return;
    }
    this.#answer.once('close', giveBackUpload);
    this.#answer.once('close', this.#hangUp);
    const upload = new Upload(this.#visitor, chunks, {
      periodMs: uploadPeriodMs,
      onStalled: (error) => this.#abort(error),
      onComplete: () => {
        this.#sentAt = performance.now();
        this.#dispatched?.moveTo('request');
        if (!this.#isOver && this.#head === undefined && !this.#answer.headersSent) this.#awaitResponse();
      },
    });
    this.#dispatched = destination.dispatch({ ...request, body: upload.stream }, this, 'upload');
    if (!this.#isOver) upload.begin();
  }

  onHead(head: ResponseHead): void {
    clearTimeout(this.#timer);
    const seen = new SeenResponse(head, performance.now() - this.#sentAt);
    if (seen.isEventStream && !this.#becomeStream()) return;
    // The rest of an upload is not read, so the connection cannot be reused.
    if (hasBody(this.#visitor) && !this.#visitor.complete) this.#answer.shouldKeepAlive = false;
    this.#options.onResponse(seen);
    this.#added = this.#options.addHeaders(seen);
    this.#head = head;
    this.#leaveSoon();
  }

  onData(chunk: Buffer): void {
    if (this.#held !== undefined) this.#write(this.#held);
    // The bytes are overwritten by the next read.
    this.#held = chunk.length <= SMALL_BYTES ? chunk.toString('latin1') : Buffer.from(chunk);
    this.#leaveSoon();
  }

  onEnd(): void {
    this.#end();
    this.#isComplete = true;
    this.#leaveSoon();
  }

  flush(): void {
    const held = this.#held;
    this.#isLeaving = false;
    this.#held = undefined;
    if (this.#isFailed || this.#answer.destroyed) return;
    if (!this.#sendWhole(held)) {
      this.#writeHead();
      if (this.#isComplete) this.#answer.end(held ?? '', 'latin1');
      else if (held !== undefined) this.#write(held);
      // An event stream may send its first event much later.
      else this.#answer.flushHeaders();
    }
    this.#limitReading();
  }

  #sendWhole(body: Buffer | string = ''): boolean {
    if (!this.#isComplete || this.#head === undefined || typeof body !== 'string') return false;
    // Node checks the headers that it writes.
    return this.#added.length === 0 && sendWhole(this.#visitor, this.#answer, this.#head, body);
  }

  #writeHead(): void {
    const head = this.#head;
    if (head === undefined) return;
    this.#head = undefined;
    const { headers, message } = toVisitorHead(head);
    for (const [name, value] of this.#added) headers.push(name, value);
    this.#answer.writeHead(head.status, message, headers);
    // A response that is complete at once needs no timer; nearly all are.
    if (!this.#isOver) this.#timer = setTimeout(() => this.#becomeStream(), LASTING_MS);
  }

  /** Disconnects a visitor who does not read the response. Nearly all responses have left by now. */
  #limitReading(): void {
    const { socket } = this.#answer;
    const hasLeft = this.#isComplete && socket !== null && socket.writableLength === 0;
    if (hasLeft || this.#isReadingLimited) return;
    this.#isReadingLimited = true;
    this.#answer.setTimeout(ANSWER_IDLE_MS, () => this.#answer.destroy());
  }

  #leaveSoon(): void {
    if (!this.#isLeaving) flushTogether(this);
    this.#isLeaving = true;
  }

  #write(chunk: Buffer | string): void {
    this.#writeHead();
    // One read of the site can have many chunks.
    if (this.#answer.write(chunk, 'latin1') || this.#isPaused) return;
    this.#isPaused = true;
    this.#dispatched?.pause();
    this.#answer.once('drain', () => {
      this.#isPaused = false;
      this.#dispatched?.resume();
    });
  }

  onError(error: Error & { code?: string }): void {
    if (this.#isOver) return;
    this.#end();
    if (this.#answer.destroyed) return;
    const hadHead = this.#head !== undefined;
    this.#isFailed = true;
    // A truncated response must not look complete.
    if (this.#answer.headersSent) this.#answer.destroy();
    else if (this.#retries > 0 && !hadHead && CLOSED_WHILE_IDLE.includes(error.code ?? '')) {
      new Relay(this.#visitor, this.#answer, this.#options).send(this.#request, this.#retries - 1);
    } else this.#options.onFailure(toFailure(error), error);
  }

  #awaitResponse(): void {
    const { timeoutMs } = this.#options;
    this.#timer = setTimeout(() => this.#abort(new SlowUpstreamError('no response in time')), timeoutMs);
  }

  /** False: ends a response that lasts, because what it occupies is for short responses. */
  #becomeStream(): boolean {
    if (this.#dispatched?.moveTo('stream')) return true;
    this.#abort(new FullError('stream'));
    return false;
  }

  #abort(error: Error): void {
    if (this.#dispatched === undefined) this.onError(error);
    else this.#dispatched.abort(error);
  }

  readonly #hangUp = (): void => {
    if (!this.#isOver) this.#abort(new Error('visitor disconnected'));
  };

  #end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#answer.off('close', this.#hangUp);
  }
}
