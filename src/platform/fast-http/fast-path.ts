/**
 * A short way to the few addresses that a whole crowd asks at once, past the framework: routing, hooks and its request
 * and reply objects are a third of what such an answer costs. It is taken by whoever asks in the plainest form, which
 * is how pages ask; everything else goes the usual way, where the same address has the same handler. What the usual way
 * adds to every answer of a server is added here too, and tests compare the two.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { FastifyError, FastifyInstance } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import { type AnswerHead, type Caller, type Callers, createCallers } from '../http-server/callers.ts';
import { flushTogether } from '../http-server/flush-batch.ts';
import type { FindTimes } from '../http-server/http-metrics.ts';
import type { RouteTimes } from '../http-server/request-times.ts';
import { serializerOf } from '../http-server/schema-compilers.ts';
import { RecentMap } from '../recent-map.ts';
import { createRawResponses, type RawResponses } from './raw-response.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** undefined where there is none. */
    fastPath?: FastPath;
  }
}

const REMEMBERED_ADDRESSES = 1_000;

export interface FastPathOptions {
  trustProxy: readonly string[];
  createId: (request: IncomingMessage) => string;
  onError: (error: FastifyError, request: Caller & { routeOptions: { url: string } }, reply: ErrorReply) => void;
  findTimes: FindTimes;
}

/** What an error is told by. Fastify's reply is one. */
export interface ErrorReply extends AnswerHead {
  code(status: number): { send(body: object): unknown };
}

interface FastPathEntry {
  method: string;
  url: string;
  /** Of the address, before its parameters. */
  start: string;
  params: { name: string; pattern: RegExp }[];
  serialize: (answer: unknown) => string;
  handle: FastHandler;
  /** Of answers of 200, once there was one: nearly all are. */
  times?: RouteTimes;
}

interface Found {
  route: FastPathEntry;
  params: Readonly<Record<string, string>>;
}

type FastHandler = (
  caller: Caller & { params: Readonly<Record<string, string>> },
  head: AnswerHead,
) => Promise<unknown>;

export interface FastRoute<Params extends TObject, Answer extends TSchema> {
  method: 'GET' | 'POST';
  url: string;
  bodyLimit?: number;
  /** Every parameter has a pattern. */
  schema: { params: Params; response: { 200: Answer }; tags?: string[]; summary?: string };
}

export class FastPath {
  readonly #options: FastPathOptions;
  readonly #callers: Callers;
  readonly #whole: RawResponses;
  readonly #routes: FastPathEntry[] = [];
  /** What each address stands for, by method; a crowd asks few. */
  readonly #found = new Map<string, RecentMap<Found>>();
  #isOpen = true;

  constructor(server: Server, options: FastPathOptions) {
    this.#options = options;
    this.#callers = createCallers(options.trustProxy);
    this.#whole = createRawResponses(server);
  }

  add(route: FastPathEntry): void {
    this.#routes.push(route);
    if (!this.#found.has(route.method)) this.#found.set(route.method, new RecentMap(REMEMBERED_ADDRESSES));
  }

  /** From now on everything goes the usual way, which knows how to say goodbye. */
  close(): void {
    this.#isOpen = false;
  }

  /** Whether the request was taken. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    if (!this.#isOpen || !isPlain(request)) return false;
    const found = this.#find(request.method!, request.url!);
    if (found === undefined) return false;
    markRead(request);
    new Exchange(request, response, found, this.#callers, this.#whole, this.#options).run();
    return true;
  }

  #find(method: string, url: string): Found | undefined {
    const known = this.#found.get(method)?.get(url);
    if (known !== undefined) return known;
    for (const route of this.#routes) {
      if (route.method !== method || !url.startsWith(route.start)) continue;
      const params = readParams(route, url);
      if (params === undefined) continue;
      const found = { route, params };
      // An address with more in it than the event is one visitor's own.
      if (route.params.length === 1) this.#found.get(method)!.set(url, found);
      return found;
    }
    return undefined;
  }
}

/** Puts the short way before the usual one. Addresses are added by `fastRoute`. */
export function openFastPath(app: FastifyInstance, options: FastPathOptions): void {
  const server = app.server as Server;
  const fastPath = new FastPath(server, options);
  app.decorate('fastPath', fastPath);
  const usual = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (fastPath.take(request, response)) return;
    for (const listener of usual) listener.call(server, request, response);
  });
  app.addHook('preClose', async () => fastPath.close());
}

/** An address that a crowd asks: by the usual way, and by the short one where there is one. */
export function fastRoute<Params extends TObject, Answer extends TSchema>(
  app: FastifyInstance,
  { method, url, bodyLimit, schema }: FastRoute<Params, Answer>,
  handle: (
    caller: Caller & { params: Record<keyof Params['properties'], string> },
    head: AnswerHead,
  ) => Promise<unknown>,
): void {
  const handler = handle as FastHandler;
  app.route({ method, url, schema, ...(bodyLimit === undefined ? {} : { bodyLimit }), handler: handler as never });
  const path = app.prefix + url;
  const params = Object.entries(schema.params.properties).map(([name, property]) => {
    const { pattern } = property as { pattern?: unknown };
    if (typeof pattern !== 'string') throw new Error(`${path}: the parameter ${name} has no pattern`);
    return { name, pattern: new RegExp(pattern) };
  });
  const start = path.slice(0, path.indexOf(':'));
  app.fastPath?.add({
    method,
    url: path,
    start,
    params,
    serialize: serializerOf(schema.response[200]),
    handle: handler,
  });
}

/** No body, nothing to negotiate: whatever it says beyond that is for the usual way to understand or refuse. */
function isPlain({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'content-type': type } = headers;
  return (
    (length === undefined || length === '0') &&
    headers['transfer-encoding'] === undefined &&
    (type === undefined || type === 'application/json') &&
    headers.upgrade === undefined
  );
}

/**
 * Once a request is answered, Node reads on to the end of its body, unless somebody has begun to. Here there is no body,
 * and looking for its end is a twentieth of what a poll costs. So the request is marked as read to its end, which is
 * also what lets go of it while the connection is kept. Where Node no longer goes by these fields, it looks all the same.
 */
function markRead(request: IncomingMessage): void {
  const read = request as unknown as { _consuming: boolean; _readableState?: { endEmitted: boolean } };
  read._consuming = true;
  if (read._readableState !== undefined) read._readableState.endEmitted = true;
}

function readParams({ start, params }: FastPathEntry, url: string): Record<string, string> | undefined {
  const values = params.length === 1 ? [url.slice(start.length)] : url.slice(start.length).split('/');
  if (values.length !== params.length) return undefined;
  const read: Record<string, string> = {};
  for (let i = 0; i < params.length; i += 1) {
    const { name, pattern } = params[i]!;
    if (!pattern.test(values[i]!)) return undefined;
    read[name] = values[i]!;
  }
  return read;
}

/** One request and its answer. */
class Exchange implements Caller, ErrorReply {
  readonly params: Readonly<Record<string, string>>;
  readonly routeOptions: { url: string };
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #route: FastPathEntry;
  readonly #callers: Callers;
  readonly #whole: RawResponses;
  readonly #options: FastPathOptions;
  readonly #startedAt = performance.now();
  #id: string | undefined;
  #status = 200;
  #cacheControl = 'no-store';
  #more: (string | number)[] | undefined;
  #body = '';

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    { route, params }: Found,
    callers: Callers,
    whole: RawResponses,
    options: FastPathOptions,
  ) {
    this.#request = request;
    this.#response = response;
    this.#route = route;
    this.params = params;
    this.routeOptions = route;
    this.#callers = callers;
    this.#whole = whole;
    this.#options = options;
  }

  get headers() {
    return this.#request.headers;
  }

  get id() {
    this.#id ??= this.#options.createId(this.#request);
    return this.#id;
  }

  get ip() {
    return this.#callers.addressOf(this.#request);
  }

  get protocol() {
    return this.#callers.protocolOf(this.#request);
  }

  run(): void {
    if (this.headers['x-request-id'] !== undefined) this.header('x-request-id', this.id);
    this.#route.handle(this, this).then(
      (answer) => this.#tell(answer),
      (error) => this.#fail(error),
    );
  }

  header(name: string, value: string | number): this {
    if (name === 'cache-control') this.#cacheControl = String(value);
    else this.#more = this.#more === undefined ? [name, value] : withHeader(this.#more, name, value);
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

  leave(): void {
    const bytes = Buffer.byteLength(this.#body);
    const isCommon = this.#status === 200 && this.#more === undefined;
    if (isCommon && this.#whole.send(this.#response, this.#cacheControl, this.#body, bytes)) return;
    const headers: (string | number)[] = [
      'content-type',
      'application/json; charset=utf-8',
      'cache-control',
      this.#cacheControl,
      'x-content-type-options',
      'nosniff',
      'content-length',
      bytes,
    ];
    if (this.#more !== undefined) headers.push(...this.#more);
    this.#response.writeHead(this.#status, headers as never);
    this.#response.end(this.#body);
  }

  #tell(answer: unknown): void {
    try {
      this.#body = this.#route.serialize(answer);
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#finish();
  }

  #fail(error: unknown): void {
    this.#options.onError(error as FastifyError, this, this);
  }

  #finish(): void {
    this.#findTimes().observe((performance.now() - this.#startedAt) / 1000);
    flushTogether(this);
  }

  #findTimes(): RouteTimes {
    const { method, url } = this.#route;
    if (this.#status !== 200) return this.#options.findTimes(method, url, this.#status);
    this.#route.times ??= this.#options.findTimes(method, url, 200);
    return this.#route.times;
  }
}

/** A header said again replaces what was said before; only cookies stand beside each other. */
function withHeader(headers: (string | number)[], name: string, value: string | number): (string | number)[] {
  const at = name === 'set-cookie' ? -1 : headers.indexOf(name);
  if (at === -1) headers.push(name, value);
  else headers[at + 1] = value;
  return headers;
}
