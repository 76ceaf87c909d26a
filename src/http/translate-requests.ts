/** Puts translations in front of an app. The requests that they make reach the app without passing here again. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { allowing, type CorsPolicy, isListedOrigin, readableBy } from '../platform/http-server/cors.ts';
import { defaultHeaders, documentHeaders } from '../platform/http-server/response-policy.ts';
import { AppError } from './errors.ts';
import {
  type Answer,
  type Ask,
  answerWith,
  type ForeignRequest,
  type Forwarding,
  type Translation,
} from './translation.ts';

/** As for all other endpoints. */
const BODY_LIMIT = 8 * 1024;
const NOT_PASSED_ON = new Set([
  // They describe the body that was sent, or the connection.
  ...['connection', 'keep-alive', 'content-length', 'transfer-encoding', 'expect', 'upgrade'],
  // The translation needs all of the answer, as JSON.
  ...['accept-encoding', 'if-none-match', 'if-modified-since', 'range'],
]);
const NOT_ANSWERED = new Set([
  'connection',
  'content-length',
  'content-type',
  'transfer-encoding',
  'etag',
  'set-cookie',
  'vary',
]);
/** What these ask is for operators: no page of another origin may use it. */
const FOR_OPERATORS = /^\/api\/(v1\/)?(admin|stats)\//;

type Route = (Translation | Forwarding) & { pattern: RegExp; names: readonly string[] };

export interface TranslateOptions {
  /** undefined: no page of another origin may use anything. */
  cors?: CorsPolicy | undefined;
  /** Is told of every failure that the caller only learns as INTERNAL. */
  onFailure?: (error: unknown, path: string) => void;
}

/** Call it after the fast path was opened. */
export function translateRequests(
  app: FastifyInstance,
  translations: readonly (Translation | Forwarding)[],
  options: TranslateOptions = {},
): void {
  if (translations.length === 0) return;
  const { cors } = options;
  const routes = translations.map(toRoute);
  const server = app.server as Server;
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const match = findRoute(routes, request);
    if (match !== undefined) {
      const { route } = match;
      if ('answer' in route) {
        void respond(app, route, match, request, response, options);
        return;
      }
      request.url = route.forward(match);
    } else if (isPreflight(request, cors) && answersPreflight(routes, request)) {
      sendPreflight(request, response);
      return;
    }
    for (const listener of listeners) listener.call(server, request, response);
  });
}

interface Match {
  route: Route;
  params: Record<string, string>;
  query: URLSearchParams;
}

function toRoute(translation: Translation | Forwarding): Route {
  const names: string[] = [];
  const source = translation.path
    .replaceAll(/:([A-Za-z]+)/g, (_all, name: string) => {
      names.push(name);
      return '([A-Za-z0-9_.~@%-]{1,256})';
    })
    .replace(/^\/api\/(?!v1\/)/, '/api/(?:v1/)?');
  return { ...translation, pattern: new RegExp(`^${source}$`), names };
}

function findRoute(
  routes: readonly Route[],
  { method, url = '' }: { method?: string | undefined; url?: string | undefined },
): Match | undefined {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  for (const route of routes) {
    if (route.method !== method) continue;
    const found = route.pattern.exec(path);
    if (found === null) continue;
    const params = Object.fromEntries(route.names.map((name, index) => [name, found[index + 1]!]));
    return { route, params, query: new URLSearchParams(end < 0 ? '' : url.slice(end)) };
  }
  return undefined;
}

async function respond(
  app: FastifyInstance,
  route: Translation,
  { params, query }: Match,
  request: IncomingMessage,
  response: ServerResponse,
  { cors, onFailure }: TranslateOptions,
): Promise<void> {
  const asked: Asked = { cookies: [], isReadable: !FOR_OPERATORS.test(route.path) };
  const answer = (given: Answer) => send(response, given, asked.cookies, toCorsHeaders(request, asked, cors));
  const foreign = { method: route.method, params, query, headers: request.headers, at: Date.now() };
  try {
    const body = await readJson(request);
    answer(await route.answer({ ...foreign, body }, createAsk(app, request, asked)));
  } catch (error) {
    if (!(error instanceof AppError)) onFailure?.(error, route.path);
    answer(toErrorAnswer(error));
  }
}

/** What the endpoints that a translation asked said, besides their answers. */
interface Asked {
  cookies: string[];
  /** Whether the page that sent the request could read all of them. */
  isReadable: boolean;
}

/** A page may read a translation if it may read everything that it is made of. */
function toCorsHeaders(
  { headers }: IncomingMessage,
  { isReadable }: Asked,
  cors: CorsPolicy | undefined,
): Record<string, string> {
  if (cors === undefined) return {};
  const isAllowed = isReadable && isListedOrigin(cors, headers);
  return { vary: 'Origin', ...(isAllowed ? readableBy(headers.origin!) : {}) };
}

/** Preflights of other origins are for the app to refuse. */
function isPreflight({ method, headers }: IncomingMessage, cors: CorsPolicy | undefined): boolean {
  const isAsking = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
  return isAsking && cors !== undefined && isListedOrigin(cors, headers);
}

/** The translation that the announced request is for. */
function answersPreflight(routes: readonly Route[], { url, headers }: IncomingMessage): boolean {
  const method = headers['access-control-request-method'];
  const match = findRoute(routes, { method, url });
  return match !== undefined && !FOR_OPERATORS.test(match.route.path);
}

function sendPreflight({ headers }: IncomingMessage, response: ServerResponse): void {
  const method = headers['access-control-request-method']!;
  response.writeHead(204, { ...defaultHeaders, vary: 'Origin', ...readableBy(headers.origin!), ...allowing([method]) });
  response.end();
}

function createAsk(app: FastifyInstance, { headers, socket }: IncomingMessage, asked: Asked): Ask {
  const own = Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_PASSED_ON.has(name)));
  return async (method, path, extra = {}) => {
    const { 'content-type': _type, ...withoutBody } = own;
    for (const name of extra.without ?? []) delete withoutBody[name];
    const answer = await app.inject({
      method,
      url: path,
      headers: {
        ...withoutBody,
        ...(extra.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...extra.headers,
      },
      ...(extra.body === undefined ? {} : { payload: JSON.stringify(extra.body) }),
      remoteAddress: socket.remoteAddress ?? '127.0.0.1',
    });
    asked.cookies.push(...[answer.headers['set-cookie'] ?? []].flat());
    if (answer.headers['access-control-allow-origin'] === undefined) asked.isReadable = false;
    return { status: answer.statusCode, headers: answer.headers, body: parse(answer.body) };
  };
}

async function readJson(request: IncomingMessage): Promise<ForeignRequest['body']> {
  const chunks: Buffer[] = [];
  let length = 0;
  // A refused request still gets an answer: leaving the loop must not close the connection.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_LIMIT) throw new AppError('BODY_TOO_LARGE');
    chunks.push(chunk);
  }
  if (length === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new AppError('BAD_REQUEST', { message: 'The body is not valid JSON.' });
  }
}

function parse(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function toErrorAnswer(error: unknown): Answer {
  const { status, code, message } = error instanceof AppError ? error : new AppError('INTERNAL');
  return answerWith(status, { error: { code, message }, message });
}

function send(
  response: ServerResponse,
  { status, headers, body, rendered }: Answer,
  cookies: readonly string[],
  corsHeaders: Readonly<Record<string, string>>,
): void {
  const passed = Object.entries(headers).filter(
    ([name]) => !NOT_ANSWERED.has(name) && !name.startsWith('access-control-'),
  );
  const text = rendered ?? (body === undefined ? '' : JSON.stringify(body));
  response.writeHead(status, {
    ...defaultHeaders,
    ...documentHeaders,
    ...Object.fromEntries(passed),
    ...corsHeaders,
    ...(text === '' ? {} : { 'content-type': 'application/json; charset=utf-8' }),
    'content-length': Buffer.byteLength(text),
    // What is left of a request that was not read to its end would be taken for the next one.
    ...(response.req.complete ? {} : { connection: 'close' }),
    ...(cookies.length === 0 ? {} : { 'set-cookie': [...cookies] }),
  });
  response.end(text);
}
