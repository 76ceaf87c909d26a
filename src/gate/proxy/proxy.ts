/** The gate as a reverse proxy: decides on every request and forwards those that pass. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { answerClientErrors, endWith } from '../../platform/http-server/client-errors.ts';
import { createTraceIds } from '../../platform/http-server/trace-ids.ts';
import type { Tracing } from '../../platform/tracing/tracing.ts';
import { CDN_HEADER, type Decision, type Pass } from '../decision/decide.ts';
import type { VerificationKeys } from '../decision/gate-request.ts';
import { toPassHeaders } from '../decision/pass-headers.ts';
import { type RefusalAnswer, toAnswer } from '../decision/refusal-answer.ts';
import type { Guard } from '../guard.ts';
import { toAnswerHeaders } from '../sessions/answer-headers.ts';
import { toUpstreamHeaders, withoutHeaders } from '../upstream-headers.ts';
import type { AddressLimits, CountedRequest } from './address-limits.ts';
import { type AnswerErrors, createErrorAnswers } from './answer-errors.ts';
import { type Destination, FullError } from './destination.ts';
import type { Failure } from './failures.ts';
import { type Forwarded, forward } from './forward.ts';
import { PipelinedResponses } from './pipelined-responses.ts';
import type { CountRefusal } from './refusals.ts';
import { findFlaw } from './request-flaws.ts';
import { traceRequest } from './trace-request.ts';
import { forwardUpgrade, isWebSocket } from './upgrade.ts';
import { hasBody } from './upload.ts';

export interface ProxyOptions {
  guard: Guard;
  keys: VerificationKeys;
  /** Picks the upstream of a passed request. */
  route: (pass: Pass) => Destination;
  /** Whether an IP address is in TRUST_PROXY. */
  isTrusted: (address: string) => boolean;
  /** Whether cookies for the visitor get the Secure flag. */
  isSecure: (request: IncomingMessage) => boolean;
  /** The visitor's address, behind trusted proxies. */
  addressOf: (request: IncomingMessage) => string;
  limits: AddressLimits;
  countRefusal: CountRefusal;
  /** The header that carries the visitor's id to the site; undefined sends none. */
  identityHeader: string | undefined;
  timeoutMs: number;
  uploadPeriodMs: number;
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
    // An upload may take any time as long as it progresses (upload.ts). Headers may not.
    requestTimeout: 0,
    keepAliveTimeout: IDLE_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    // request-flaws.ts checks it, also for HTTP/1.0.
    requireHostHeader: false,
  });
  // Headers beyond a maximum would be dropped silently. Their size is limited, and request-flaws.ts limits their number.
  server.maxHeadersCount = 0;
  const proxy = new GateProxy(options);
  server.on('connection', (socket) => proxy.addConnection(socket));
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    server.on(event, (request, response) => proxy.onRequest(request, response));
  }
  for (const event of ['upgrade', 'connect']) {
    server.on(event, (request, socket, head) => proxy.onUpgrade(request, socket, head));
  }
  answerClientErrors(server, (kind) => proxy.answers.toClientError(kind));
  return server;
}

class GateProxy {
  readonly answers: AnswerErrors;
  readonly #options: ProxyOptions;
  readonly #responses = new PipelinedResponses();

  constructor(options: ProxyOptions) {
    this.#options = options;
    this.answers = createErrorAnswers(options, createTraceIds());
  }

  addConnection(socket: Socket): void {
    if (this.#options.limits.tryTakeConnection(socket)) this.#responses.addConnection(socket);
    else endWith(socket, this.answers.toTooMany('address_connections', socket.remoteAddress));
  }

  onRequest(request: IncomingMessage, response: ServerResponse): void {
    const { tracing, log } = this.#options;
    // A connection that was refused may still carry a request.
    if (!this.#responses.addResponse(request.socket, response)) return;
    traceRequest(tracing, request, response, () => {
      this.#answerRequest(request, response).catch((error) => {
        log.error({ err: error }, 'request failed');
        response.destroy();
      });
    });
  }

  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (!this.#responses.hasConnection(request.socket)) return;
    this.#answerUpgrade(request, socket, head).catch((error) => {
      this.#options.log.error({ err: error }, 'WebSocket upgrade failed');
      socket.destroy();
    });
  }

  async #answerRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (answer: RefusalAnswer) => sendAnswer(request, response, answer);
    const started = this.#start(request, send);
    if (started === undefined) return;
    response.once('close', started.giveBack);
    const decision = await this.#decide(request);
    if (response.destroyed) return;
    if (decision.outcome !== 'pass') return send(toAnswer(decision, this.answers.traceIdOf(request)));
    const destination = this.#options.route(decision);
    // An early refusal: the upstream need not answer a stream that cannot be kept.
    if (wantsStream(request) && !destination.hasRoom('stream')) {
      return send(this.answers.toFailure('GATE_BUSY', new FullError('stream'), request));
    }
    const onFailure = (failure: Failure, error: Error) => send(this.answers.toFailure(failure, error, request));
    const { timeoutMs, uploadPeriodMs, guard } = this.#options;
    const { tryTakeUpload, giveBackUpload } = started;
    forward(request, response, this.#toForwarded(request, decision), {
      ...{ destination, timeoutMs, uploadPeriodMs, tryTakeUpload, giveBackUpload, onFailure },
      onResponse: (head) => guard.observe(decision, head),
      addHeaders: (site) => toAnswerHeaders(decision, site),
    });
  }

  async #answerUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    const send = (answer: RefusalAnswer) => endWith(socket as Socket, answer);
    const started = this.#start(request, send);
    if (started === undefined) return;
    socket.once('close', started.giveBack);
    // After any other upgrade, such as h2c, requests would bypass the gate.
    if (request.method !== 'CONNECT' && !isWebSocket(request)) return send(this.answers.toWrongUpgrade(request));
    const decision = await this.#decide(request);
    if (socket.destroyed) return;
    if (decision.outcome !== 'pass') return send(toAnswer(decision, this.answers.traceIdOf(request)));
    const onFailure = (failure: Failure, error: Error) => send(this.answers.toFailure(failure, error, request));
    const options = { destination: this.#options.route(decision), timeoutMs: this.#options.timeoutMs, onFailure };
    forwardUpgrade(socket, head, this.#toForwarded(request, decision), options);
  }

  /** What comes before any decision. undefined: the request has been refused. */
  #start(request: IncomingMessage, send: (answer: RefusalAnswer) => void): CountedRequest | undefined {
    const flaw = findFlaw(request);
    if (flaw !== undefined) {
      send(this.answers.toFlaw(flaw, request));
      return undefined;
    }
    const counted = this.#options.limits.tryTakeRequest(request);
    if (counted === undefined) {
      send(this.answers.toTooMany('address_requests', request.socket.remoteAddress, request));
    }
    return counted;
  }

  #decide(request: IncomingMessage): Promise<Decision> {
    const { guard, isTrusted, addressOf } = this.#options;
    const { method = '', url = '', headers, socket } = request;
    const forwarded = headers['x-forwarded-host'];
    const isForwarded = forwarded !== undefined && isTrusted(socket.remoteAddress ?? '');
    const host = isForwarded ? String(forwarded) : headers.host;
    const isSecure = () => this.#options.isSecure(request);
    return guard.decide({ method, target: url, headers, host, address: addressOf(request), isSecure });
  }

  #toForwarded(request: IncomingMessage, pass: Pass): Forwarded {
    const { keys, identityHeader, isTrusted, tracing } = this.#options;
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
    return {
      method: request.method!,
      path: pass.target,
      headers: withoutHeaders(toUpstreamHeaders(request.rawHeaders, origin, added), pass.withheld),
    };
  }
}

function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: RefusalAnswer,
): void {
  // The rest of the body is not read, so the connection cannot be reused.
  if (hasBody(request) && !request.complete) response.shouldKeepAlive = false;
  response.writeHead(status, headers).end(request.method === 'HEAD' ? '' : body);
}

/** A browser's EventSource says so. What else turns out to be a stream is refused when its response starts. */
function wantsStream({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes('text/event-stream') ?? false;
}

/** An id may be in any script; a header value is ASCII. */
function toHeaderText(visitor: string): string {
  return /^[\x21-\x7e]+$/.test(visitor) && !visitor.includes('%') ? visitor : encodeURIComponent(visitor);
}
