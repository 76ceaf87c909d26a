/** One request on the fast path and its response. Applies the response policy that the framework's hooks apply. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyError } from 'fastify';
import type { Caller, Callers } from '../http-server/callers.ts';
import { type Flushable, flushTogether } from '../http-server/flush-batch.ts';
import {
  defaultHeaders,
  documentHeaders,
  type ErrorReply,
  HSTS_HEADER,
  isDocument,
  type ResponsePolicy,
  setRequestHeaders,
} from '../http-server/response-policy.ts';
import type { LabelledHistogram } from '../http-server/time-histogram.ts';
import type { SendRaw } from './raw-response.ts';
import type { Params, RouteMatch, TableRoute } from './route-table.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** What all exchanges of a server share. */
export interface ExchangeServices {
  policy: ResponsePolicy;
  callers: Callers;
  sendRaw: SendRaw;
}

export class Exchange implements Caller, ErrorReply, Flushable {
  readonly params: Params;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #route: TableRoute;
  readonly #services: ExchangeServices;
  readonly #startedAt = performance.now();
  #id: string | undefined;
  #status = 200;
  #cacheControl = defaultHeaders['cache-control']!;
  /** Apart from the other headers, because every response over TLS has it. */
  #hsts: string | undefined;
  /** Names and values in turn. undefined while there is nothing beyond the default headers. */
  #headers: (string | number)[] | undefined;
  #body = '';

  constructor(request: IncomingMessage, response: ServerResponse, match: RouteMatch, services: ExchangeServices) {
    this.#request = request;
    this.#response = response;
    this.#route = match.route;
    this.params = match.params;
    this.#services = services;
  }

  get headers() {
    return this.#request.headers;
  }

  get id() {
    this.#id ??= this.#services.policy.createId(this.#request);
    return this.#id;
  }

  get ip() {
    return this.#services.callers.addressOf(this.#request);
  }

  get protocol() {
    return this.#services.callers.protocolOf(this.#request);
  }

  get routeOptions() {
    return this.#route;
  }

  run(): void {
    setRequestHeaders(this, this, this.#services.policy);
    const preparing = this.#services.policy.prepare?.(this.headers);
    if (preparing === undefined) this.#handle();
    else
      preparing.then(
        () => this.#handle(),
        (error) => this.#fail(error),
      );
  }

  #handle(): void {
    this.#route.handle(this, this).then(
      (answer) => this.#reply(answer),
      (error) => this.#fail(error),
    );
  }

  header(name: string, value: string | number): this {
    if (name === 'cache-control') this.#cacheControl = String(value);
    else if (name === HSTS_HEADER) this.#hsts = String(value);
    else this.#headers = withHeader(this.#headers ?? [], name, value);
    return this;
  }

  code(status: number): this {
    this.#status = status;
    return this;
  }

  send(body: object): void {
    this.#body = JSON.stringify(body);
    this.#finish();
  }

  flush(): void {
    const bytes = Buffer.byteLength(this.#body);
    const { sendRaw } = this.#services;
    const isSent =
      this.#status === 200 && sendRaw(this.#response, this.#cacheControl, this.#body, bytes, this.#hsts, this.#headers);
    if (isSent) return;
    this.#response.writeHead(this.#status, this.#allHeaders(bytes) as never);
    this.#response.end(this.#body);
  }

  #allHeaders(bytes: number): (string | number)[] {
    let all: (string | number)[] = ['content-length', bytes];
    if (bytes > 0) all.push('content-type', JSON_TYPE);
    for (const name in defaultHeaders) all.push(name, defaultHeaders[name]!);
    if (isDocument(this.#status, bytes > 0 ? JSON_TYPE : '')) all.push(...Object.entries(documentHeaders).flat());
    if (this.#hsts !== undefined) all.push(HSTS_HEADER, this.#hsts);
    all = withHeader(all, 'cache-control', this.#cacheControl);
    const own = this.#headers ?? [];
    for (let i = 0; i < own.length; i += 2) all = withHeader(all, own[i] as string, own[i + 1]!);
    return all;
  }

  #reply(answer: unknown): void {
    try {
      this.#body = this.#route.serialize(answer);
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#finish();
  }

  #fail(error: unknown): void {
    this.#services.policy.onError(error as FastifyError, this, this);
  }

  #finish(): void {
    this.#findHistogram()?.observe((performance.now() - this.#startedAt) / 1000);
    flushTogether(this);
  }

  #findHistogram(): LabelledHistogram | undefined {
    const { method, url } = this.#route;
    const { findHistogram } = this.#services.policy;
    if (this.#status !== 200) return findHistogram?.(method, url, this.#status);
    this.#route.histogram ??= findHistogram?.(method, url, 200);
    return this.#route.histogram;
  }
}

/** Setting a header again replaces it; only cookies accumulate. */
function withHeader(headers: (string | number)[], name: string, value: string | number): (string | number)[] {
  let at = name === 'set-cookie' ? -1 : 0;
  while (at >= 0 && at < headers.length && headers[at] !== name) at += 2;
  if (at === -1 || at >= headers.length) headers.push(name, value);
  else headers[at + 1] = value;
  return headers;
}
