/**
 * HTTP client for many visitors in one process, with keep-alive. Like a page behind a load balancer, it retries a request
 * that got a temporary error or lost its connection, on the next URL if there are several. What still fails is an error
 * that a visitor sees.
 */
import * as http from 'node:http';
import * as https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from './target.ts';

export interface ReceivedResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: any response of the server; readers check what they use.
  body: any;
  cookies: readonly string[];
}

export type SendResult =
  | { outcome: 'answered'; response: ReceivedResponse; sentAt: number; answeredAt: number; retries: number }
  | { outcome: 'failed'; problem: string; sentAt: number; answeredAt: number; retries: number };

export interface OutgoingRequest {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: unknown;
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

export class Client {
  readonly #options: ClientOptions;
  readonly #agents: readonly http.Agent[];
  #next = 0;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#agents = options.targets.map(({ url }) => {
      const { Agent } = url.protocol === 'https:' ? https : http;
      return new Agent({ keepAlive: true, maxSockets: options.connections, maxFreeSockets: options.connections });
    });
  }

  /** `sentAt` is the first attempt and `answeredAt` the last response, by performance.now(). */
  async send(outgoing: OutgoingRequest): Promise<SendResult> {
    const sentAt = performance.now();
    for (let retries = 0; ; retries += 1) {
      const attempt = await this.#try(outgoing);
      const isLast = retries >= this.#options.retries;
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
  open(path: string, headers: Readonly<Record<string, string>>): Promise<http.IncomingMessage> {
    return new Promise((resolve, reject) => {
      const request = this.#request({ method: 'GET', path, headers }, false);
      request.once('response', (response) => {
        request.setTimeout(LONGEST_SILENCE_MS);
        resolve(response);
      });
      request.on('error', reject);
      request.setTimeout(REQUEST_TIMEOUT_MS, () => request.destroy(new Error('response timed out')));
      request.end();
    });
  }

  close(): void {
    for (const agent of this.#agents) agent.destroy();
  }

  /** The response, or a description of the error. */
  #try(outgoing: OutgoingRequest): Promise<ReceivedResponse | string> {
    return new Promise((resolve) => {
      const request = this.#request(outgoing, true);
      request.once('response', (response) => readResponse(response).then(resolve));
      request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      request.setTimeout(REQUEST_TIMEOUT_MS, () => request.destroy(new Error('response timed out')));
      request.end(outgoing.body === undefined ? undefined : JSON.stringify(outgoing.body));
    });
  }

  #request({ method, path, headers, body }: OutgoingRequest, isPooled: boolean): http.ClientRequest {
    const index = this.#next;
    this.#next = (this.#next + 1) % this.#options.targets.length;
    const { url, address, family } = this.#options.targets[index]!;
    const { request } = url.protocol === 'https:' ? https : http;
    return request(new URL(url.pathname.replace(/\/$/, '') + path, url), {
      method,
      headers: {
        ...headers,
        'user-agent': 'fairline-rehearse',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      agent: isPooled ? this.#agents[index]! : false,
      lookup: (_host, options, callback) => {
        if (options.all) callback(null, [{ address, family }]);
        else callback(null, address, family);
      },
    });
  }
}

async function readResponse(response: http.IncomingMessage): Promise<ReceivedResponse | string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response) {
      bytes += chunk.length;
      if (bytes > LARGEST_RESPONSE_BYTES) return 'response too large';
      chunks.push(chunk);
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? (error as Error).message;
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return { status: response.statusCode ?? 0, body: parse(text), cookies: response.headers['set-cookie'] ?? [] };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
