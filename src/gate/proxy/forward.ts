/**
 * Forwards one request to the upstream and streams the response back, without buffering it. If either side disconnects, the
 * other is closed too.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { type Flushable, flushTogether } from '../../platform/http-server/flush-batch.ts';
import type { SiteResponse } from '../guard.ts';
import { toVisitorHeaders } from '../upstream-headers.ts';
import { type Destination, FullError } from './destination.ts';
import type { Dispatched } from './exchange.ts';
import { type Failure, toFailure } from './failures.ts';
import { hasBody, readShortBody, SlowUpstreamError, Upload } from './upload.ts';

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
  addHeaders: (site: SiteResponse['headers']) => readonly [string, string][];
}

/** Limit for a visitor who does not read the response. */
const ANSWER_IDLE_MS = 300_000;
/** A response that takes longer counts as a stream. */
const LASTING_MS = 10_000;
const SAFE_TO_REPEAT = ['GET', 'HEAD', 'OPTIONS'];
/** Errors seen when the upstream closes an idle keep-alive connection just as it is reused. */
const CLOSED_WHILE_IDLE = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'];
const REASON_PHRASE = /^[\t\x20-\x7e]*$/;

type Sent = Dispatcher.DispatchOptions;

export function forward(
  visitor: IncomingMessage,
  answer: ServerResponse,
  sent: Forwarded,
  options: ForwardOptions,
): void {
  const request: Sent = { ...sent, method: sent.method as Dispatcher.HttpMethod, body: null };
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
class Relay implements Dispatcher.DispatchHandler, Flushable {
  readonly #visitor: IncomingMessage;
  readonly #answer: ServerResponse;
  readonly #options: ForwardOptions;
  #request!: Sent;
  #retries = 0;
  #dispatched: Dispatched | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #sentAt = 0;
  #isOver = false;
  #isLeaving = false;
  /** The latest chunk, not yet written. */
  #held: Buffer | undefined;
  #isComplete = false;

  constructor(visitor: IncomingMessage, answer: ServerResponse, options: ForwardOptions) {
    this.#visitor = visitor;
    this.#answer = answer;
    this.#options = options;
  }

  send(request: Sent, retries: number): void {
    this.#request = request;
    this.#retries = retries;
    this.#answer.once('close', this.#hangUp);
    this.#sentAt = performance.now();
    this.#awaitResponse();
    this.#dispatched = this.#options.destination.dispatch(request, this);
  }

  sendUpload(request: Sent, chunks: readonly Buffer[]): void {
    const { destination, tryTakeUpload, giveBackUpload, uploadPeriodMs } = this.#options;
    if (!tryTakeUpload()) {
      this.onResponseError(undefined, new FullError('upload'));
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
        if (!this.#isOver && !this.#answer.headersSent) this.#awaitResponse();
      },
    });
    this.#dispatched = destination.dispatch({ ...request, body: upload.stream }, this, 'upload');
    if (!this.#isOver) upload.begin();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#answer.destroyed) controller.abort(new Error('visitor disconnected'));
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
    message = '',
  ): void {
    // An informational response such as 103; the final one follows.
    if (status < 200) return;
    clearTimeout(this.#timer);
    if (!isEventStream(headers)) this.#timer = setTimeout(() => this.#becomeStream(), LASTING_MS);
    else if (!this.#becomeStream()) return;
    const raw = (controller.rawHeaders as Buffer[]).map((bytes) => bytes.toString('latin1'));
    // The rest of an upload is not read, so the connection cannot be reused.
    if (hasBody(this.#visitor) && !this.#visitor.complete) this.#answer.shouldKeepAlive = false;
    const { onResponse, addHeaders } = this.#options;
    onResponse({ status, headers, durationMs: performance.now() - this.#sentAt });
    const visible = [...toVisitorHeaders(raw), ...addHeaders(headers).flat()];
    this.#answer.writeHead(status, REASON_PHRASE.test(message) ? message : '', visible);
    this.#answer.setTimeout(ANSWER_IDLE_MS, () => this.#answer.destroy());
    this.#leaveSoon();
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    if (this.#held !== undefined) this.#write(this.#held);
    this.#held = chunk;
    this.#leaveSoon();
  }

  onResponseEnd(): void {
    this.#end();
    this.#isComplete = true;
    this.#leaveSoon();
  }

  flush(): void {
    const held = this.#held;
    this.#isLeaving = false;
    this.#held = undefined;
    if (this.#answer.destroyed) return;
    if (this.#isComplete) this.#answer.end(held);
    else if (held !== undefined) this.#write(held);
    // An event stream may send its first event much later.
    else this.#answer.flushHeaders();
  }

  #leaveSoon(): void {
    if (!this.#isLeaving) flushTogether(this);
    this.#isLeaving = true;
  }

  #write(chunk: Buffer): void {
    if (this.#answer.write(chunk)) return;
    this.#controller?.pause();
    this.#answer.once('drain', () => this.#controller?.resume());
  }

  onResponseError(_: unknown, error: Error & { code?: string }): void {
    if (this.#isOver) return;
    this.#end();
    if (this.#answer.destroyed) return;
    // A truncated response must not look complete.
    if (this.#answer.headersSent) this.#answer.destroy();
    else if (this.#retries > 0 && CLOSED_WHILE_IDLE.includes(error.code ?? '')) {
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
    if (this.#dispatched === undefined) this.onResponseError(undefined, error);
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

function isEventStream({ 'content-type': type }: Record<string, string | string[] | undefined>): boolean {
  return String(type ?? '')
    .toLowerCase()
    .startsWith('text/event-stream');
}
