/**
 * One connection to an upstream, HTTP/1.1, one request at a time. Written on a plain socket: the clients of undici and Node
 * take longer per request, for features that a proxy does not use.
 */
import { connect as connectTcp, type NetConnectOpts, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { type RequestHead, toRequestHead } from '../../platform/http-client/request-head.ts';
import { type ResponseEvents, ResponseParser } from '../../platform/http-client/response-parser.ts';

export interface UpstreamRequest extends RequestHead {
  /** A stream is an upload: it is sent while it arrives. */
  body: Buffer | Readable | null;
}

export interface ConnectionEvents extends ResponseEvents {
  /** The response is complete. `isReusable`: the connection may carry another request. */
  onEnd(isReusable: boolean): void;
  /** The connection is closed. */
  onError(error: Error & { code?: string }): void;
}

/** The upstream closed the connection before the response was complete. */
export class ClosedError extends Error {
  override readonly name = 'ClosedError';
  readonly code = 'ECONNRESET';
}

export type OpenSocket = (onBytes: (bytes: Buffer) => void) => Socket;

/** How long a response may pause. Event streams send heartbeats more often. */
const ANSWER_IDLE_MS = 300_000;
/** How long an idle connection is kept if the upstream does not say. */
const KEEP_IDLE_MS = 4_000;
/** The upstream may close a little earlier than it says. */
const KEEP_MARGIN_MS = 1_000;
const KEEP_AT_MOST_MS = 60_000;
const READ_BYTES = 64 * 1024;

export function createOpenSocket(origin: string): OpenSocket {
  const { protocol, hostname, port } = new URL(origin);
  // A URL has an IPv6 address in brackets; sockets take it without.
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol !== 'https:') {
    // Read and parsed at once, before any other socket is read.
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
    return (onBytes) => connectTcp(toOptions({ host, port: Number(port || 80) }, buffer, onBytes));
  }
  const servername = /^[\d.]+$|:/.test(host) ? {} : { servername: host };
  let session: Buffer | undefined;
  return (onBytes) => {
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
    const options = toOptions({ host, port: Number(port || 443) }, buffer, onBytes);
    const socket = connectTls({ ...options, ...servername, ALPNProtocols: ['http/1.1'], session });
    socket.on('session', (ticket) => {
      session = ticket;
    });
    return socket;
  };
}

function toOptions(address: { host: string; port: number }, buffer: Buffer, onBytes: (bytes: Buffer) => void) {
  const onread = {
    buffer,
    callback: (count: number) => {
      onBytes(count === buffer.length ? buffer : buffer.subarray(0, count));
      return true;
    },
  };
  return { ...address, noDelay: true, keepAlive: true, onread } satisfies NetConnectOpts;
}

export class UpstreamConnection {
  /** When it became idle, and for how long it may be used again; of the stopwatch. */
  idleUntil = 0;
  readonly #socket: Socket;
  readonly #parser: ResponseParser;
  #events: ConnectionEvents | undefined;
  #upload: Readable | undefined;
  #hasHead = false;
  #isPaused = false;
  #isClosed = false;
  readonly #onClosed: (connection: UpstreamConnection) => void;

  /** `onClosed`: it closed while it was idle. */
  constructor(open: OpenSocket, onClosed: (connection: UpstreamConnection) => void) {
    this.#onClosed = onClosed;
    this.#parser = new ResponseParser({
      onHead: (head) => {
        this.#hasHead = true;
        this.#events?.onHead(head);
      },
      onData: (chunk) => this.#events?.onData(chunk),
    });
    this.#socket = open((bytes) => this.#read(bytes));
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('end', () => this.#onEnd());
    this.#socket.on('close', () => this.#fail(new ClosedError('the upstream closed the connection')));
    this.#socket.on('timeout', () => this.#onSilence());
    this.#socket.setTimeout(ANSWER_IDLE_MS);
  }

  /** Throws an UnfitRequestError, before anything is sent. */
  send(request: UpstreamRequest, events: ConnectionEvents): void {
    const { body } = request;
    const bytes = body === null ? 'none' : Buffer.isBuffer(body) ? body.length : 'chunked';
    const head = toRequestHead(request, bytes);
    this.#events = events;
    this.#hasHead = false;
    this.#parser.expect(request.method);
    if (body === null) this.#socket.write(head, 'latin1');
    else if (Buffer.isBuffer(body)) this.#writeTogether(head, body);
    else this.#sendUpload(head, body, head.includes('\r\ntransfer-encoding: chunked\r\n'));
  }

  pause(): void {
    this.#isPaused = true;
    this.#socket.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#socket.setTimeout(ANSWER_IDLE_MS);
    this.#socket.resume();
  }

  /** The events get nothing more. */
  destroy(): void {
    this.#events = undefined;
    this.#close();
  }

  #writeTogether(head: string, body: Buffer): void {
    this.#socket.cork();
    this.#socket.write(head, 'latin1');
    this.#socket.write(body);
    this.#socket.uncork();
  }

  #sendUpload(head: string, body: Readable, isChunked: boolean): void {
    this.#upload = body;
    this.#socket.write(head, 'latin1');
    const resume = () => body.resume();
    body.on('data', (chunk: Buffer) => {
      if (this.#isClosed || chunk.length === 0) return;
      const isTaken = isChunked ? this.#writeChunk(chunk) : this.#socket.write(chunk);
      if (!isTaken) body.pause();
    });
    this.#socket.on('drain', resume);
    body.once('end', () => {
      this.#upload = undefined;
      if (isChunked && !this.#isClosed) this.#socket.write('0\r\n\r\n');
    });
    body.once('close', () => {
      this.#socket.off('drain', resume);
      // The upload broke off: half a body must not look complete.
      if (!body.readableEnded) this.#fail(new Error('the upload is incomplete'));
    });
  }

  #writeChunk(chunk: Buffer): boolean {
    this.#socket.cork();
    this.#socket.write(`${chunk.length.toString(16)}\r\n`, 'latin1');
    this.#socket.write(chunk);
    const isTaken = this.#socket.write('\r\n', 'latin1');
    this.#socket.uncork();
    return isTaken;
  }

  #read(bytes: Buffer): void {
    if (this.#isClosed) return;
    try {
      const used = this.#parser.push(bytes);
      if (!this.#parser.isIdle) return;
      // Bytes that nobody asked for: the next response on this connection could be that of another request.
      if (this.#events === undefined) this.#fail(new Error('the upstream sent bytes without a request'));
      else this.#finish(this.#parser.isKept && used === bytes.length);
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  /** The time to the first byte is limited by the caller, and a pause is the visitor's. */
  #onSilence(): void {
    if (this.#hasHead && !this.#isPaused) this.#fail(new Error('the response of the upstream pauses for too long'));
  }

  #onEnd(): void {
    if (this.#events !== undefined && this.#parser.end()) this.#finish(false);
    else this.#fail(new ClosedError('the upstream closed the connection'));
  }

  #finish(isKept: boolean): void {
    const events = this.#events!;
    this.#events = undefined;
    // The rest of an upload is not sent, so the connection cannot be used again.
    const isReusable = isKept && this.#upload === undefined && !this.#isClosed && this.#keepIdle();
    if (!isReusable) this.#close();
    events.onEnd(isReusable);
  }

  #keepIdle(): boolean {
    const said = this.#parser.keepAliveMs;
    const keepMs = said === undefined ? KEEP_IDLE_MS : Math.min(said - KEEP_MARGIN_MS, KEEP_AT_MOST_MS);
    this.idleUntil = performance.now() + keepMs;
    return keepMs > 0;
  }

  #fail(error: Error): void {
    const events = this.#events;
    const wasClosed = this.#isClosed;
    this.#events = undefined;
    this.#close();
    if (events !== undefined) events.onError(error);
    else if (!wasClosed) this.#onClosed(this);
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#socket.destroy();
    // A failing request destroys its body.
    this.#upload?.destroy();
  }
}
