/**
 * Serves the few endpoints that a whole crowd requests at once without the framework: routing, hooks and Fastify's
 * request and reply objects are a third of the cost of such a response. Only requests in the plainest form take this
 * path, which is the form that our pages send. All others reach the same handler through Fastify.
 *
 * Both apply the same response policy. Hooks beyond that policy never run here, so a hook on a fast route fails the start.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { FastifyContextConfig, FastifyInstance, FastifySchema, RouteOptions } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import { type AnswerHead, type Caller, createCallers } from '../http-server/callers.ts';
import { isListed } from '../http-server/cors.ts';
import { isPlainlyOwn } from '../http-server/cross-site.ts';
import { findForeignHooks } from '../http-server/request-hooks.ts';
import type { ResponsePolicy } from '../http-server/response-policy.ts';
import { serializerOf } from '../http-server/schema-compilers.ts';
import { Exchange, type ExchangeServices } from './exchange.ts';
import { createSendRaw } from './raw-response.ts';
import { type FastHandler, type FastHead, RouteTable, type TableRoute } from './route-table.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** undefined if the fast path is off. */
    fastPath?: FastPath;
  }
}

export class FastPath {
  readonly #table = new RouteTable();
  /** Public for the benchmark, which replaces `sendRaw` to measure what it saves. */
  readonly services: ExchangeServices;
  #isOpen = true;

  constructor(services: ExchangeServices) {
    this.services = services;
  }

  add(route: TableRoute): void {
    this.#table.add(route);
  }

  /** Sends all further requests to the framework, which refuses them properly while the server closes. */
  close(): void {
    this.#isOpen = false;
  }

  /** Returns whether it took the request. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    if (!this.#isOpen || !isPlain(request)) return false;
    const match = this.#table.find(request.method!, request.url!);
    if (match === undefined || !this.#isWelcome(request, match.route)) return false;
    new Exchange(request, response, match, this.services).run();
    return true;
  }

  /** The framework refuses what another site sends. */
  #isWelcome({ headers }: IncomingMessage, { url, isForAnySite }: TableRoute): boolean {
    return isPlainlyOwn(headers) || isForAnySite === true || isListed(this.services.policy.cors, url, headers);
  }
}

/** Puts the fast path in front of the framework. Call it before any route is registered. */
export function openFastPath(app: FastifyInstance, policy: ResponsePolicy): void {
  const server = app.server as Server;
  const { trustProxy } = policy;
  const fastPath = new FastPath({ policy, callers: createCallers(trustProxy), sendRaw: createSendRaw(server) });
  app.decorate('fastPath', fastPath);
  const framework = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (fastPath.take(request, response)) return;
    for (const listener of framework) listener.call(server, request, response);
  });
  app.addHook('preClose', async () => fastPath.close());
  refuseForeignHooks(app);
}

export interface FastRoute<Params extends TObject, Answer extends TSchema> {
  method: 'GET' | 'POST';
  url: string;
  bodyLimit?: number;
  config?: FastifyContextConfig;
  /** Every parameter must have a pattern. */
  schema: FastifySchema & { params: Params; querystring?: TObject; response: { 200: Answer } };
}

/** Absent on the fast path: a request with a query does not take it. */
export interface QueryPart {
  query?: Readonly<Record<string, unknown>>;
}

const fastHandlers = new WeakSet<object>();

/** Absent on the fast path: a request with a body does not take it. The framework has validated it. */
export interface BodyPart {
  body?: unknown;
}

/** Registers a route with the framework and, if it is open, with the fast path. */
export function fastRoute<Params extends TObject, Answer extends TSchema>(
  app: FastifyInstance,
  route: FastRoute<Params, Answer>,
  handle: (
    caller: Caller & QueryPart & BodyPart & { params: Record<keyof Params['properties'], string> },
    head: AnswerHead,
  ) => Promise<unknown>,
): void {
  const handler = handle as FastHandler;
  const { method, schema } = route;
  const url = app.prefix + route.url;
  const params = Object.entries(schema.params.properties).map(([name, property]) => {
    const { pattern } = property as { pattern?: unknown };
    if (typeof pattern !== 'string') throw new Error(`${url}: parameter ${name} has no pattern`);
    return { name, pattern: new RegExp(pattern) };
  });
  fastHandlers.add(handler);
  app.route({ ...route, handler: handler as never });
  app.fastPath?.add({ method, url, params, serialize: serializerOf(schema.response[200]), handle: handler });
}

/**
 * For a route that the framework has with more forms, such as a query: requests for exactly its URL take the fast path.
 * `handle` returns the body, which may be empty. `handler`: that of the framework's route, whose hooks are checked; call
 * this before that route is registered.
 */
export function addFastForm(
  app: FastifyInstance,
  {
    handler,
    ...route
  }: Pick<TableRoute, 'method' | 'url' | 'isForAnySite'> & {
    handler: object;
    handle: (caller: Caller, head: FastHead) => Promise<string>;
  },
): void {
  fastHandlers.add(handler);
  app.fastPath?.add({ ...route, url: app.prefix + route.url, params: [], serialize: (body) => body as string });
}

/** Makes `app.ready()` fail if the framework would run something for a fast route that the fast path skips. */
function refuseForeignHooks(app: FastifyInstance): void {
  const { errorHandler } = app;
  const routes: { scope: FastifyInstance; route: RouteOptions }[] = [];
  app.addHook('onRoute', function rememberFastRoute(route) {
    // Fastify adds a HEAD route to each GET route; those never take the fast path.
    if (route.method !== 'HEAD' && fastHandlers.has(route.handler)) routes.push({ scope: this, route });
  });
  app.addHook('onReady', async () => {
    const problems = routes.flatMap(({ scope, route }) => {
      const found = findForeignHooks(scope, route);
      if (scope.errorHandler !== errorHandler || route.errorHandler !== undefined) found.push('errorHandler');
      return found.length === 0 ? [] : [`${String(route.method)} ${route.url} has ${found.join(', ')}`];
    });
    if (problems.length === 0) return;
    throw new Error(
      `The fast path would skip hooks: ${problems.join('; ')}. Add what they do to the response policy ` +
        '(platform/http-server/response-policy.ts), or register the route with app.route instead of fastRoute.',
    );
  });
}

/** No body, nothing to negotiate. Anything else is for the framework to handle or refuse. */
function isPlain({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'content-type': type } = headers;
  return (
    (length === undefined || length === '0') &&
    headers['transfer-encoding'] === undefined &&
    (type === undefined || type === 'application/json') &&
    headers.upgrade === undefined &&
    headers.host !== undefined
  );
}
