/**
 * Forwards one request to the upstream and streams the response back, without buffering. If either side disconnects, the
 * other is closed too.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import type { Dispatcher } from 'undici';
import { type Flushable, flushTogether } from '../../platform/http-server/flush-batch.ts';
import { toVisitorHeaders } from '../upstream-headers.ts';
import type { Destination } from './destination.ts';

export interface Forwarded {
  method: string;
  path: string;
  headers: string[];
}

/** Why the upstream gave no response. Reported only while nothing has been sent to the visitor. */
export type Failure = 'UPSTREAM_UNREACHABLE' | 'UPSTREAM_TIMEOUT';

export interface ForwardOptions {
  destination: Destination;
  /** Limit for the first byte of the response. */
  timeoutMs: number;
  onFailure: (failure: Failure, error: Error) => void;
}

const UPLOAD_IDLE_MS = 60_000;
/** Limit for a visitor who does not read the response. */
const ANSWER_IDLE_MS = 300_000;
const SAFE_TO_REPEAT = ['GET', 'HEAD', 'OPTIONS'];
/** Errors seen when the upstream closes an idle keep-alive connection just as it is reused. */
const CLOSED_WHILE_IDLE = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'];

export function forward(
  visitor: IncomingMessage,
  answer: ServerResponse,
  sent: Forwarded,
  options: ForwardOptions,
): void {
  const hasBody = visitor.headers['transfer-encoding'] !== undefined || Number(visitor.headers['content-length']) > 0;
  const body = hasBody ? bodyOf(visitor) : null;
  const request = { ...sent, method: sent.method as Dispatcher.HttpMethod, body };
  const retries = !hasBody && SAFE_TO_REPEAT.includes(sent.method) ? 1 : 0;
  options.destination.dispatch(request, new Relay(answer, request, options, retries));
}

/** A PassThrough, because a failing request destroys its body stream: the visitor's socket must stay open for the error. */
function bodyOf(visitor: IncomingMessage): PassThrough {
  visitor.setTimeout(UPLOAD_IDLE_MS, () => visitor.destroy());
  visitor.once('end', () => visitor.setTimeout(0));
  const body = new PassThrough();
  body.on('error', () => {});
  visitor.once('close', () => {
    if (!visitor.readableEnded) body.destroy();
  });
  return visitor.pipe(body);
}

class SlowUpstreamError extends Error {
  override readonly name = 'SlowUpstreamError';
}

/** Streams the response. What arrives in one turn of the event loop is written at the end of that turn. */
class Relay implements Dispatcher.DispatchHandler, Flushable {
  readonly #answer: ServerResponse;
  readonly #request: Dispatcher.DispatchOptions;
  readonly #options: ForwardOptions;
  readonly #retries: number;
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #tooSlow: SlowUpstreamError | undefined;
  #isOver = false;
  #isLeaving = false;
  /** The latest chunk, not yet written. */
  #held: Buffer | undefined;
  #isComplete = false;

  constructor(answer: ServerResponse, request: Dispatcher.DispatchOptions, options: ForwardOptions, retries: number) {
    this.#answer = answer;
    this.#request = request;
    this.#options = options;
    this.#retries = retries;
    this.#timer = setTimeout(() => this.#giveUp(), options.timeoutMs);
    answer.once('close', this.#hangUp);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#tooSlow !== undefined || this.#answer.destroyed)
      controller.abort(this.#tooSlow ?? new Error('visitor disconnected'));
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, _: unknown, message = ''): void {
    // An informational response such as 103; the final one follows.
    if (status < 200) return;
    clearTimeout(this.#timer);
    const raw = (controller.rawHeaders as Buffer[]).map((bytes) => bytes.toString('latin1'));
    this.#answer.writeHead(status, message, toVisitorHeaders(raw));
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
    const { onFailure, destination } = this.#options;
    if (this.#answer.destroyed) return;
    // A truncated response must not look complete.
    if (this.#answer.headersSent) this.#answer.destroy();
    else if (this.#tooSlow !== undefined) onFailure('UPSTREAM_TIMEOUT', this.#tooSlow);
    else if (this.#retries > 0 && CLOSED_WHILE_IDLE.includes(error.code ?? '')) {
      const again = new Relay(this.#answer, this.#request, this.#options, this.#retries - 1);
      destination.dispatch(this.#request, again);
    } else onFailure('UPSTREAM_UNREACHABLE', error);
  }

  #giveUp(): void {
    this.#tooSlow = new SlowUpstreamError();
    if (this.#controller !== undefined) this.#controller.abort(this.#tooSlow);
    else this.onResponseError(undefined, this.#tooSlow);
  }

  readonly #hangUp = (): void => {
    if (!this.#isOver) this.#controller?.abort(new Error('visitor disconnected'));
  };

  #end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#answer.off('close', this.#hangUp);
  }
}
