/** Sends the requests of a contract as its client would: with its cookies, tokens and what it kept of earlier answers. */
import { createTokenSigner } from '../../src/platform/jwt/tokens.ts';
import { secrets } from '../support/test-app.ts';
import { until } from '../support/until.ts';
import type { Exchange } from './contract.ts';
import { findMisfits, type Shape } from './shapes.ts';

const signUser = createTokenSigner({ secret: secrets.AUTH_JWT_SECRET, typ: 'JWT' });

interface Received {
  status: number;
  headers: Headers;
  body: unknown;
}

export class ContractClient {
  readonly #url: string;
  readonly #kept = new Map<string, string>();
  readonly #cookies = new Map<string, Map<string, string>>();

  constructor(url: string) {
    this.#url = url;
  }

  /** Returns one line per problem. */
  async run(exchange: Exchange): Promise<string[]> {
    if (exchange.answer.messages !== undefined) return this.#listen(exchange, exchange.answer.messages);
    let misfits: string[] = [];
    const attempt = async () => {
      const received = await this.#send(exchange);
      misfits = misfitsOf(exchange, received);
      if (misfits.length === 0) this.#keep(exchange, received.body);
      return misfits.length === 0;
    };
    if (exchange.until === undefined) await attempt();
    else await until(exchange.name, attempt).catch(() => undefined);
    return misfits;
  }

  async #send({ request }: Exchange): Promise<Received> {
    const response = await this.#fetch(request);
    const content = await response.text();
    return { status: response.status, headers: response.headers, body: parse(content) };
  }

  async #fetch({ method, path, headers = {}, body, as }: Exchange['request'], signal?: AbortSignal): Promise<Response> {
    const response = await fetch(this.#url + this.#fill(path), {
      method,
      redirect: 'manual',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...this.#identify(as),
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, this.#fill(value)])),
      },
      ...(body === undefined ? {} : { body: this.#fill(JSON.stringify(body)) }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (as?.startsWith('guest:')) this.#takeCookies(as, response);
    return response;
  }

  async #listen({ request, answer }: Exchange, messages: readonly Shape[]): Promise<string[]> {
    const closing = new AbortController();
    const response = await this.#fetch(request, closing.signal);
    if (response.status !== answer.status) return [`status is ${response.status}; expected: ${answer.status}`];
    const seen: unknown[] = [];
    void readMessages(response, seen).catch(() => {});
    try {
      await until('the messages', () => findMissing(messages, seen) === undefined).catch(() => undefined);
    } finally {
      closing.abort();
    }
    const missing = findMissing(messages, seen);
    return missing === undefined ? [] : [`message ${missing + 1} did not come; seen: ${JSON.stringify(seen)}`];
  }

  #identify(as: Exchange['request']['as']): Record<string, string> {
    if (as === undefined) return {};
    if (as === 'operator') return { authorization: `Bearer ${secrets.ADMIN_TOKEN}` };
    if (as.startsWith('user:')) {
      const iat = Math.floor(Date.now() / 1000);
      return { authorization: `Bearer ${signUser({ sub: as.slice('user:'.length), iat, exp: iat + 3_600 })}` };
    }
    const jar = this.#cookies.get(as);
    return jar === undefined ? {} : { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') };
  }

  #takeCookies(guest: string, response: Response): void {
    const jar = this.#cookies.get(guest) ?? new Map<string, string>();
    this.#cookies.set(guest, jar);
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      jar.set(name!, value!);
    }
  }

  #fill(template: string): string {
    return template.replaceAll(/\{(\w+)\}/g, (all, name: string) => this.#kept.get(name) ?? all);
  }

  #keep({ keep = {} }: Exchange, body: unknown): void {
    for (const [name, path] of Object.entries(keep)) {
      const value = path.split('.').reduce<unknown>((at, part) => (at as Record<string, unknown>)?.[part], body);
      this.#kept.set(name, String(value));
    }
  }
}

function misfitsOf({ answer }: Exchange, { status, headers, body }: Received): string[] {
  const inHeaders = Object.entries(answer.headers ?? {}).flatMap(([name, shape]) =>
    findMisfits(shape, headers.get(name) ?? undefined, `header ${name}`),
  );
  return [
    ...(status === answer.status ? [] : [`status is ${status}; expected: ${answer.status} (${JSON.stringify(body)})`]),
    ...inHeaders,
    ...(answer.body === undefined ? [] : findMisfits(answer.body, body)),
  ];
}

/** Index of the first message that was not seen after those before it; undefined: all were. */
function findMissing(messages: readonly Shape[], seen: readonly unknown[]): number | undefined {
  let at = 0;
  for (const [index, shape] of messages.entries()) {
    const found = seen.slice(at).findIndex((one) => findMisfits(shape, one).length === 0);
    if (found < 0) return index;
    at += found + 1;
  }
  return undefined;
}

async function readMessages({ body }: Response, seen: unknown[]): Promise<void> {
  if (body === null) return;
  let rest = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      const field = (name: string) =>
        block
          .split('\n')
          .find((line) => line.startsWith(`${name}:`))
          ?.slice(name.length + 1)
          .trim();
      const data = field('data');
      const event = field('event');
      if (data !== undefined) seen.push({ ...(event === undefined ? {} : { event }), data: parse(data) });
    }
  }
}

function parse(content: string): unknown {
  if (content === '') return undefined;
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}
