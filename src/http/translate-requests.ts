/** Puts translations in front of an app. The requests that they make reach the app without passing here again. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
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
/** They describe the body that was sent, or the connection. */
const NOT_PASSED_ON = new Set(['connection', 'keep-alive', 'content-length', 'transfer-encoding', 'expect', 'upgrade']);
const NOT_ANSWERED = new Set([
  'connection',
  'content-length',
  'content-type',
  'transfer-encoding',
  'etag',
  'set-cookie',
]);

type Route = (Translation | Forwarding) & { pattern: RegExp; names: readonly string[] };

/** Call it after the fast path was opened. */
export function translateRequests(app: FastifyInstance, translations: readonly (Translation | Forwarding)[]): void {
  if (translations.length === 0) return;
  const routes = translations.map(toRoute);
  const server = app.server as Server;
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const match = findRoute(routes, request);
    if (match !== undefined) {
      const { route } = match;
      if ('answer' in route) {
        void respond(app, route, match, request, response);
        return;
      }
      request.url = route.forward(match);
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
    .replace(/^\/api\//, '/api/(?:v1/)?');
  return { ...translation, pattern: new RegExp(`^${source}$`), names };
}

function findRoute(routes: readonly Route[], { method, url = '' }: IncomingMessage): Match | undefined {
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
): Promise<void> {
  const cookies: string[] = [];
  const foreign = { method: route.method, params, query, headers: request.headers };
  try {
    const body = await readJson(request);
    send(response, await route.answer({ ...foreign, body }, createAsk(app, request, cookies)), cookies);
  } catch (error) {
    send(response, toErrorAnswer(error), cookies);
  }
}

function createAsk(app: FastifyInstance, { headers, socket }: IncomingMessage, cookies: string[]): Ask {
  const own = Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_PASSED_ON.has(name)));
  return async (method, path, extra = {}) => {
    const { 'content-type': _type, ...withoutBody } = own;
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
    cookies.push(...[answer.headers['set-cookie'] ?? []].flat());
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

function send(response: ServerResponse, { status, headers, body }: Answer, cookies: readonly string[]): void {
  const passed = Object.entries(headers).filter(([name]) => !NOT_ANSWERED.has(name));
  const text = body === undefined ? '' : JSON.stringify(body);
  response.writeHead(status, {
    ...defaultHeaders,
    ...documentHeaders,
    ...Object.fromEntries(passed),
    ...(body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }),
    'content-length': Buffer.byteLength(text),
    // What is left of a request that was not read to its end would be taken for the next one.
    ...(response.req.complete ? {} : { connection: 'close' }),
    ...(cookies.length === 0 ? {} : { 'set-cookie': [...cookies] }),
  });
  response.end(text);
}
