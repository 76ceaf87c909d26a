/**
 * HTTP client for many visitors in one process, with keep-alive. Like a page behind a load balancer, it retries a request
 * that got a temporary error or lost its connection, on the next URL if there are several. What still fails is an error
 * that a visitor sees.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { toRequestHead } from '../platform/http-client/request-head.ts';
import type { ResponseHead } from '../platform/http-client/response-parser.ts';
import type { ResponseHandler } from './http/connection.ts';
import { ConnectionPool } from './http/connection-pool.ts';
import { EventStream } from './http/event-stream.ts';
import type { Target } from './target.ts';

export interface ReceivedResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: any response of the server; readers check what they use.
  body: any;
  cookies: readonly string[];
}

/** Times by performance.now(): of the first attempt and of the last response. */
export type SendResult =
  | { outcome: 'answered'; response: ReceivedResponse; sentAt: number; answeredAt: number; retries: number }
  | { outcome: 'failed'; problem: string; sentAt: number; answeredAt: number; retries: number };

export interface OutgoingRequest {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: unknown;
}

export interface OpenedStream {
  status: number;
  cookies: readonly string[];
  stream: EventStream;
}

export interface ClientOptions {
  targets: readonly [Target, ...Target[]];
  retries: number;
  /** Maximum connections per URL, not counting streams. */
  connections: number;
}

const REQUEST_TIMEOUT_MS = 10_000;
/** Streams send at least a heartbeat every 30 s. */
const LONGEST_SILENCE_MS = 75_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
const LARGEST_RESPONSE_BYTES = 4 * 1024 * 1024;
/** 408 happens on a busy machine, if a connection is opened long before its request is sent. */
const TEMPORARY = new Set([408, 502, 503, 504]);

/** Whether a page would retry. */
export function isTemporary(status: number | undefined): boolean {
  return status !== undefined && TEMPORARY.has(status);
}

interface Server {
  target: Target;
  host: string;
  /** Before each path. */
  prefix: string;
  pool: ConnectionPool;
}

export class Client {
  readonly #servers: readonly Server[];
  readonly #retries: number;
  #next = 0;

  constructor({ targets, retries, connections }: ClientOptions) {
    this.#retries = retries;
    this.#servers = targets.map((target) => {
      const { host, pathname } = new URL(target.url);
      const pool = new ConnectionPool({ server: target, connections, silenceMs: REQUEST_TIMEOUT_MS });
      return { target, host, prefix: pathname.replace(/\/$/, ''), pool };
    });
  }

  async send(outgoing: OutgoingRequest): Promise<SendResult> {
    const sentAt = performance.now();
    for (let retries = 0; ; retries += 1) {
      const attempt = await this.#try(outgoing);
      const isLast = retries >= this.#retries;
      const answeredAt = performance.now();
      if (typeof attempt === 'string') {
        if (isLast) return { outcome: 'failed', problem: attempt, sentAt, answeredAt, retries };
      } else if (isLast || !isTemporary(attempt.status)) {
        return { outcome: 'answered', response: attempt, sentAt, answeredAt, retries };
      }
      await sleep(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** retries) * (0.5 + Math.random() / 2));
    }
  }

  /** Opens a stream on a new connection. The caller reads and closes it. */
  async open(path: string, headers: Readonly<Record<string, string>>): Promise<OpenedStream> {
    const server = this.#take();
    const request = toBytes(server, { method: 'GET', path, headers });
    const limits = { headMs: REQUEST_TIMEOUT_MS, silenceMs: LONGEST_SILENCE_MS };
    const stream = new EventStream(server.target, request, limits);
    const head = await stream.opened;
    return { status: head.status, cookies: cookiesOf(head), stream };
  }

  close(): void {
    for (const { pool } of this.#servers) pool.close();
  }

  /** The response, or a description of the error. */
  #try(outgoing: OutgoingRequest): Promise<ReceivedResponse | string> {
    return new Promise((resolve) => {
      const server = this.#take();
      const { method } = outgoing;
      server.pool.send({ method, request: toBytes(server, outgoing), handler: new WholeResponse(resolve) });
    });
  }

  #take(): Server {
    const server = this.#servers[this.#next]!;
    this.#next = (this.#next + 1) % this.#servers.length;
    return server;
  }
}

class WholeResponse implements ResponseHandler {
  readonly #resolve: (received: ReceivedResponse | string) => void;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #status = 0;
  #cookies: readonly string[] = [];

  constructor(resolve: (received: ReceivedResponse | string) => void) {
    this.#resolve = resolve;
  }

  onHead(head: ResponseHead): void {
    this.#status = head.status;
    this.#cookies = cookiesOf(head);
  }

  onData(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > LARGEST_RESPONSE_BYTES) throw new Error('response too large');
    this.#chunks.push(Buffer.from(chunk));
  }

  onEnd(): void {
    const text = Buffer.concat(this.#chunks).toString('utf8');
    this.#resolve({ status: this.#status, body: parse(text), cookies: this.#cookies });
  }

  onError(error: Error & { code?: string }): void {
    this.#resolve(error.code ?? error.message);
  }
}

/** Head and body, one character per byte. */
function toBytes({ host, prefix }: Server, { method, path, headers, body }: OutgoingRequest): string {
  const fields = ['host', host, 'user-agent', 'fairline-rehearse'];
  for (const name in headers) fields.push(name, headers[name]!);
  const text = body === undefined ? '' : toAscii(JSON.stringify(body));
  if (body !== undefined) fields.push('content-type', 'application/json');
  return toRequestHead({ method, path: prefix + path, headers: fields }, text === '' ? 'none' : text.length) + text;
}

function toAscii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function cookiesOf({ headers }: ResponseHead): readonly string[] {
  const cookies: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    if (headers[at]!.toLowerCase() === 'set-cookie') cookies.push(headers[at + 1]!);
  }
  return cookies;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
