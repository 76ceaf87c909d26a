/** Sends the requests of a client: URL, headers, cookies, timeout, and errors as exceptions. */
import { CookieJar } from './cookie-jar.ts';
import { FairlineError } from './fairline-error.ts';
import { linkAbort } from './wait.ts';

export interface ClientOptions {
  /** Where Fairline is, such as `https://tickets.example`. Absent: the origin of the page. */
  baseUrl?: string | undefined;
  /** Sent as `Authorization: Bearer`: the token of a user or of an operator. A function is called for every request. */
  token?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Outside browsers: the cookies to start with, as a Cookie header. */
  cookies?: string | undefined;
  /** How long a response may take, in milliseconds. Default: 10,000. */
  timeoutMs?: number | undefined;
  /** Replaces the runtime's fetch. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

export interface Ask {
  method: string;
  /** With its query. */
  path: string;
  headers?: Readonly<Record<string, string>> | undefined;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

const TIMEOUT_MS = 10_000;
/** Only pages send cookies by themselves. Some edge runtimes refuse a request that names `credentials`. */
const credentials: RequestInit = 'document' in globalThis ? { credentials: 'include' } : {};

export class Transport {
  readonly cookies: CookieJar;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.cookies = new CookieJar(options.cookies);
  }

  /** The content of the response: JSON as a value, text as a string, undefined if it is empty. */
  async ask(ask: Ask): Promise<unknown> {
    const { signal, abort, release } = linkAbort(ask.signal);
    const timer = this.#startTimeout(ask, abort);
    try {
      return await readContent(await this.#send({ ...ask, signal }));
    } finally {
      clearTimeout(timer);
      release();
    }
  }

  /** A response whose body is still open. The timeout ends with its headers; `ask.signal` also ends the body. */
  async open(ask: Ask & { abort(reason: unknown): void }): Promise<Response> {
    const timer = this.#startTimeout(ask, ask.abort);
    try {
      const response = await this.#send(ask);
      if (!response.ok) await readContent(response);
      return response;
    } finally {
      clearTimeout(timer);
    }
  }

  #startTimeout({ method, path }: Ask, abort: (reason: unknown) => void): ReturnType<typeof setTimeout> {
    const { timeoutMs = TIMEOUT_MS } = this.#options;
    // Without the query, which may hold a token.
    const what = `${method} ${path.split('?')[0]}`;
    return setTimeout(() => abort(new Error(`${what}: no response within ${timeoutMs} ms`)), timeoutMs);
  }

  async #send({ method, path, headers, body, signal }: Ask): Promise<Response> {
    const { baseUrl = '', fetch: send = (url, init) => fetch(url, init) } = this.#options;
    const response = await send(`${baseUrl.replace(/\/+$/, '')}${path}`, {
      method,
      headers: {
        ...(await this.#headers()),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
      ...credentials,
    });
    this.cookies.keep(response.headers);
    return response;
  }

  async #headers(): Promise<Record<string, string>> {
    const { token, headers } = this.#options;
    const bearer = typeof token === 'function' ? await token() : token;
    const cookie = this.cookies.toHeader();
    return {
      accept: 'application/json',
      ...(cookie !== '' && { cookie }),
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...headers,
    };
  }
}

/** Throws a FairlineError for an error response. */
async function readContent(response: Response): Promise<unknown> {
  const text = await response.text();
  const content = toContent(text, response.headers.get('content-type') ?? '');
  if (!response.ok) throw new FairlineError(response, content);
  return content;
}

function toContent(text: string, type: string): unknown {
  if (text === '') return undefined;
  if (!/^application\/([\w.]+\+)?json\b/.test(type)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
