/**
 * One connection to a server, HTTP/1.1, one request at a time. Written on a plain socket: the client of Node takes several
 * times as long per request and as much memory per stream.
 */
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type ResponseEvents, ResponseParser } from '../../platform/http-client/response-parser.ts';

/** Plain data, so that it can be sent to a worker. */
export interface ServerAddress {
  url: string;
  /** The IP address that was checked. Connections use it, so a later DNS change cannot redirect the load. */
  address: string;
}

export interface ResponseHandler extends ResponseEvents {
  onEnd(): void;
  onError(error: Error & { code?: string }): void;
}

export interface ConnectionOwner {
  /** The connection may carry another request. */
  onIdle(connection: Connection): void;
  onClosed(connection: Connection): void;
}

/** The server closed the connection before the response was complete. */
class ClosedError extends Error {
  readonly code = 'ECONNRESET';
}

/** How long an idle connection is kept if the server does not say. */
const KEEP_IDLE_MS = 4_000;
/** The server may close a little earlier than it says. */
const KEEP_MARGIN_MS = 1_000;
/** Shared by all connections without TLS: what was read is parsed before the next socket is read. */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);

export class Connection {
  readonly #owner: ConnectionOwner;
  readonly #socket: Socket;
  readonly #parser: ResponseParser;
  #handler: ResponseHandler | undefined;
  #isClosed = false;
  #idleUntil = 0;

  constructor(server: ServerAddress, silenceMs: number, owner: ConnectionOwner) {
    this.#owner = owner;
    this.#parser = new ResponseParser({
      onHead: (head) => this.#handler?.onHead(head),
      onData: (chunk) => this.#handler?.onData(chunk),
    });
    this.#socket = openSocket(server, (bytes) => this.#read(bytes));
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('end', () => this.#onEnd());
    this.#socket.on('close', () => this.#fail(new ClosedError('the server closed the connection')));
    this.#socket.on('timeout', () => this.#fail(new Error('response timed out')));
    this.limitSilence(silenceMs);
  }

  /** Whether the server is about to close this idle connection, or has. */
  get isStale(): boolean {
    return this.#isClosed || performance.now() >= this.#idleUntil;
  }

  limitSilence(ms: number): void {
    this.#socket.setTimeout(ms);
  }

  /** `request`: head and body, one character per byte. */
  send(method: string, request: string, handler: ResponseHandler): void {
    this.#handler = handler;
    this.#parser.expect(method);
    this.#socket.write(request, 'latin1');
  }

  /** The handler hears nothing more. */
  destroy(): void {
    this.#handler = undefined;
    this.#close();
  }

  #read(bytes: Buffer): void {
    if (this.#isClosed) return;
    try {
      const used = this.#parser.push(bytes);
      if (this.#isClosed || !this.#parser.isIdle) return;
      if (this.#handler === undefined) this.#fail(new Error('the server sent bytes without a request'));
      else this.#finish(this.#parser.isKept && used === bytes.length);
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  #onEnd(): void {
    if (this.#handler !== undefined && this.#parser.end()) this.#finish(false);
    else this.#fail(new ClosedError('the server closed the connection'));
  }

  #finish(isKept: boolean): void {
    const handler = this.#handler!;
    this.#handler = undefined;
    const said = this.#parser.keepAliveMs;
    const keepMs = said === undefined ? KEEP_IDLE_MS : said - KEEP_MARGIN_MS;
    this.#idleUntil = performance.now() + keepMs;
    if (isKept && keepMs > 0) this.#owner.onIdle(this);
    else this.#close();
    handler.onEnd();
  }

  #fail(error: Error): void {
    const handler = this.#handler;
    this.#handler = undefined;
    this.#close();
    handler?.onError(error);
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#socket.destroy();
    this.#owner.onClosed(this);
  }
}

function openSocket({ url, address }: ServerAddress, onBytes: (bytes: Buffer) => void): Socket {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'https:') {
    const onread = {
      buffer: readBuffer,
      callback: (count: number) => {
        onBytes(readBuffer.subarray(0, count));
        return true;
      },
    };
    return connectTcp({ host: address, port: Number(port || 80), noDelay: true, onread });
  }
  // Certificates of IP addresses are verified against the address.
  const servername = /^[\d.]+$|:/.test(hostname) ? {} : { servername: hostname };
  const socket = connectTls({
    host: address,
    port: Number(port || 443),
    ...servername,
    ALPNProtocols: ['http/1.1'],
  });
  socket.setNoDelay(true);
  return socket.on('data', onBytes);
}
