/**
 * A browser: a cookie jar and keep-alive connections, behind a load balancer without affinity. Each request goes to the next line
 * process; one that cannot be connected to is skipped, as a balancer skips it.
 */
import { Agent, type IncomingMessage, request } from 'node:http';
import type { Program } from '../system/program.ts';

export interface Reply {
  /** 0: no response. */
  status: number;
  at: number;
  until: number;
  process: string;
  // biome-ignore lint/suspicious/noExplicitAny: any response body; readers check what they use.
  body: any;
  retryAfter: number | undefined;
}

export interface Send {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** Round robin over processes, shared by all browsers. */
export interface Balancer {
  next(): Program;
}

export function createBalancer(programs: readonly Program[]): Balancer {
  let turn = 0;
  return {
    next() {
      turn += 1;
      return programs[turn % programs.length]!;
    },
  };
}

const TIMEOUT_MS = 8_000;
const LARGEST_BODY = 256 * 1024;
export const agent = new Agent({ keepAlive: true, maxSockets: 256, maxFreeSockets: 64 });

export class Browser {
  readonly cookies = new Map<string, string>();
  /** The user's token, once signed in. */
  bearer: string | undefined;
  readonly #balancer: Balancer;

  constructor(balancer: Balancer) {
    this.#balancer = balancer;
  }

  send(sent: Send, program: Program = this.#balancer.next()): Promise<Reply> {
    const at = Date.now();
    const process = program.incarnation;
    return new Promise((resolve) => {
      const fail = (problem: string) =>
        resolve({ status: 0, at, until: Date.now(), process, body: { problem }, retryAfter: undefined });
      const outgoing = request(
        `${program.url}${sent.path}`,
        { method: sent.method, agent, headers: this.#headers(sent), timeout: TIMEOUT_MS },
        (response) => {
          this.keep(response);
          readBody(response).then(
            (text) =>
              resolve({
                status: response.statusCode ?? 0,
                at,
                until: Date.now(),
                process,
                body: parse(text),
                retryAfter: numberOf(response.headers['retry-after']),
              }),
            (error) => fail(String(error)),
          );
        },
      );
      outgoing.on('timeout', () => outgoing.destroy(new Error('timed out')));
      outgoing.on('error', (error) => fail(error.message));
      outgoing.end(sent.body === undefined ? undefined : JSON.stringify(sent.body));
    });
  }

  /** Opens a stream on its own connection; undefined if there was no response. */
  open(path: string, program: Program = this.#balancer.next()): Promise<OpenedStream> {
    const at = Date.now();
    const process = program.incarnation;
    return new Promise((resolve) => {
      const outgoing = request(
        `${program.url}${path}`,
        { method: 'GET', agent: false, headers: this.#headers({ method: 'GET', path }) },
        (response) => {
          this.keep(response);
          clearTimeout(late);
          resolve({ status: response.statusCode ?? 0, at, until: Date.now(), process, response });
        },
      );
      const late = setTimeout(() => outgoing.destroy(new Error('timed out')), TIMEOUT_MS);
      outgoing.on('error', () => {
        clearTimeout(late);
        resolve({ status: 0, at, until: Date.now(), process, response: undefined });
      });
      outgoing.end();
    });
  }

  #headers({ body, headers }: Send): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return {
      ...(cookie === '' ? {} : { cookie }),
      ...(this.bearer === undefined ? {} : { authorization: `Bearer ${this.bearer}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
  }

  keep(response: IncomingMessage): void {
    for (const text of response.headers['set-cookie'] ?? []) {
      const [pair = '', ...flags] = text.split('; ');
      const equals = pair.indexOf('=');
      const name = pair.slice(0, equals);
      if (flags.includes('Max-Age=0')) this.cookies.delete(name);
      else this.cookies.set(name, pair.slice(equals + 1));
    }
  }
}

export interface OpenedStream {
  status: number;
  at: number;
  until: number;
  process: string;
  response: IncomingMessage | undefined;
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > LARGEST_BODY) throw new Error('the response is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text === '' ? {} : { text: text.slice(0, 200) };
  }
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
