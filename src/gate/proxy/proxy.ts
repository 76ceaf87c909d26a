/** The gate as a reverse proxy: decides on every request and forwards those that pass. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { Tracing } from '../../platform/tracing/tracing.ts';
import { CDN_HEADER, type Decision, type Pass } from '../decision/decide.ts';
import type { VerificationKeys } from '../decision/gate-request.ts';
import { toPassHeaders } from '../decision/pass-headers.ts';
import { type RefusalAnswer, toAnswer, toErrorAnswer, toErrorPage } from '../decision/refusal-answer.ts';
import type { Guard } from '../guard.ts';
import { toUpstreamHeaders } from '../upstream-headers.ts';
import type { Destination } from './destination.ts';
import { type Failure, type Forwarded, type ForwardOptions, forward } from './forward.ts';
import { traceRequest } from './trace-request.ts';
import { forwardUpgrade, isWebSocket, writeAnswer } from './upgrade.ts';

export interface ProxyOptions {
  guard: Guard;
  keys: VerificationKeys;
  /** Picks the upstream of a passed request. */
  route: (pass: Pass) => Destination;
  /** Whether an IP address is in TRUST_PROXY. */
  isTrusted: (address: string) => boolean;
  /** The header that carries the visitor's id to the site; undefined sends none. */
  identityHeader: string | undefined;
  timeoutMs: number;
  /** undefined: creates no spans; incoming trace headers are forwarded. */
  tracing: Tracing | undefined;
  log: Logger;
}

const HEADERS_TIMEOUT_MS = 5_000;
const IDLE_TIMEOUT_MS = 75_000;
const TIMEOUT_CHECK_MS = 1_000;

export function createProxy(options: ProxyOptions): Server {
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    // An upload may take any time as long as it progresses (forward.ts). Headers may not.
    requestTimeout: 0,
    keepAliveTimeout: IDLE_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
  });
  server.on('request', (request, response) => {
    traceRequest(options.tracing, request, response, () => {
      answerRequest(request, response, options).catch((error) => {
        options.log.error({ err: error }, 'request failed');
        response.destroy();
      });
    });
  });
  server.on('upgrade', (request, socket, head) => {
    answerUpgrade(request, socket, head, options).catch((error) => {
      options.log.error({ err: error }, 'WebSocket upgrade failed');
      socket.destroy();
    });
  });
  server.on('clientError', (_error, socket) => {
    if (socket.writable) writeAnswer(socket, toErrorAnswer(400, 'BAD_REQUEST'));
  });
  return server;
}

async function answerRequest(request: IncomingMessage, response: ServerResponse, options: ProxyOptions): Promise<void> {
  const decision = await decideOn(request, options);
  if (response.destroyed) return;
  if (decision.outcome !== 'pass') {
    // The rest of the body is not read, so the connection cannot be reused.
    response.shouldKeepAlive = request.complete;
    const { status, headers, body } = toAnswer(decision);
    response.writeHead(status, headers).end(request.method === 'HEAD' ? '' : body);
    return;
  }
  const onFailure = (failure: Failure, error: Error) => {
    const { status, headers, body } = toFailure(failure, error, request, options.log);
    response.shouldKeepAlive = request.complete;
    response.writeHead(status, headers).end(request.method === 'HEAD' ? '' : body);
  };
  forward(request, response, toForwarded(request, decision, options), forwardOptions(decision, options, onFailure));
}

async function answerUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  options: ProxyOptions,
): Promise<void> {
  socket.on('error', () => socket.destroy());
  if (!isWebSocket(request)) {
    // After any other upgrade, such as h2c, requests would bypass the gate.
    writeAnswer(
      socket,
      toErrorAnswer(400, 'BAD_REQUEST', { message: 'Unsupported upgrade; only websocket is supported.' }),
    );
    return;
  }
  const decision = await decideOn(request, options);
  if (socket.destroyed) return;
  if (decision.outcome !== 'pass') return writeAnswer(socket, toAnswer(decision));
  const onFailure = (failure: Failure, error: Error) =>
    writeAnswer(socket, toFailure(failure, error, request, options.log));
  forwardUpgrade(socket, head, toForwarded(request, decision, options), forwardOptions(decision, options, onFailure));
}

function decideOn({ method = '', url = '', headers }: IncomingMessage, { guard }: ProxyOptions): Promise<Decision> {
  return guard({ method, target: url, headers });
}

function toForwarded(request: IncomingMessage, pass: Pass, options: ProxyOptions): Forwarded {
  const { keys, identityHeader, isTrusted, tracing } = options;
  const address = request.socket.remoteAddress ?? '';
  const proof = request.headers[CDN_HEADER];
  const origin = {
    address,
    isTrusted: isTrusted(address),
    isVerifiedByCdn: typeof proof === 'string' && keys.isVerifiedByCdn(proof),
  };
  const visitor = identityHeader === undefined ? undefined : (pass.visitor ?? keys.caller(request.headers));
  const identity = visitor === undefined ? {} : { [identityHeader!]: toHeaderText(visitor) };
  const added = { ...identity, ...toPassHeaders(pass), ...tracing?.inject() };
  return { method: request.method!, path: pass.target, headers: toUpstreamHeaders(request.rawHeaders, origin, added) };
}

function forwardOptions(pass: Pass, options: ProxyOptions, onFailure: ForwardOptions['onFailure']): ForwardOptions {
  return { destination: options.route(pass), timeoutMs: options.timeoutMs, onFailure };
}

function toFailure(failure: Failure, error: Error, request: IncomingMessage, log: Logger): RefusalAnswer {
  log.warn({ err: error, failure, method: request.method }, 'upstream did not respond');
  const status = failure === 'UPSTREAM_TIMEOUT' ? 504 : 502;
  const wantsPage = request.headers.accept?.includes('text/html') ?? false;
  return wantsPage ? toErrorPage(status, request.headers['accept-language']) : toErrorAnswer(status, failure);
}

/** An id may be in any script; a header value is ASCII. */
function toHeaderText(visitor: string): string {
  return /^[\x21-\x7e]+$/.test(visitor) && !visitor.includes('%') ? visitor : encodeURIComponent(visitor);
}
