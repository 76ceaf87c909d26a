/** The gate as a reverse proxy: decides on every request and forwards those that pass. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { answerClientErrors, endWith } from '../../platform/http-server/client-errors.ts';
import { createTraceIds } from '../../platform/http-server/trace-ids.ts';
import type { Tracing } from '../../platform/tracing/tracing.ts';
import type { Decision, Pass } from '../decision/decision.ts';
import type { VerificationKeys } from '../decision/gate-request.ts';
import { CDN_HEADER, toPassHeaders } from '../decision/pass-headers.ts';
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
import { withSiteTarget } from './site-target.ts';
import { traceRequest } from './trace-request.ts';
import { forwardUpgrade, isWebSocket } from './upgrade.ts';
import { hasBody } from './upload.ts';
import { KEEP_ALIVE_MS } from './visitor-response.ts';

/** A site behind the gate. */
export interface ProxySite {
  guard: Guard;
  /** Picks the upstream of a passed request. */
  route: (pass: Pass) => Destination;
  /** See site-target.ts. */
  target: string | undefined;
}

/** undefined: no site has this host. */
export type FindSite = (host: string) => ProxySite | undefined;

export interface ProxyOptions {
  findSite: FindSite;
  keys: VerificationKeys;
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
const TIMEOUT_CHECK_MS = 1_000;

export interface Proxy {
  server: Server;
  /** From now on each response is the last one on its connection. */
  beginStop(): void;
}

export function createProxy(options: ProxyOptions): Proxy {
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    // An upload may take any time as long as it progresses (upload.ts). Headers may not.
    requestTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
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
  return { server, beginStop: () => proxy.beginStop() };
}

/** Failures of the site, with the status that the visitor gets. */
const siteFailures: Partial<Record<Failure, number>> = { UPSTREAM_TIMEOUT: 504, UPSTREAM_UNREACHABLE: 502 };

class GateProxy {
  readonly answers: AnswerErrors;
  readonly #options: ProxyOptions;
  readonly #responses = new PipelinedResponses();
  #isStopping = false;

  constructor(options: ProxyOptions) {
    this.#options = options;
    this.answers = createErrorAnswers(options, createTraceIds());
  }

  beginStop(): void {
    this.#isStopping = true;
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
    if (this.#isStopping) response.shouldKeepAlive = false;
    const send = (answer: RefusalAnswer) => sendAnswer(request, response, answer);
    const started = this.#start(request, send);
    if (started === undefined) return;
    const { counted, site } = started;
    response.once('close', counted.giveBack);
    const decision = await this.#decide(site, request);
    if (response.destroyed) return;
    if (decision.outcome !== 'pass') return send(toAnswer(decision, this.answers.traceIdOf(request)));
    const destination = site.route(decision);
    // An early refusal: the upstream need not answer a stream that cannot be kept.
    if (wantsStream(request) && !destination.hasRoom('stream')) {
      return send(this.answers.toFailure('GATE_BUSY', new FullError('stream'), request));
    }
    const { timeoutMs, uploadPeriodMs } = this.#options;
    const startedAt = performance.now();
    site.guard.begin(decision);
    response.once('close', () => site.guard.end(decision));
    forward(request, response, this.#toForwarded(request, decision), {
      destination,
      timeoutMs,
      uploadPeriodMs,
      tryTakeUpload: counted.tryTakeUpload,
      giveBackUpload: counted.giveBackUpload,
      onFailure: (failure, error) => {
        // A site that does not answer is a site that fails. What the visitor or the gate itself broke is not.
        const status = siteFailures[failure];
        const durationMs = performance.now() - startedAt;
        if (status !== undefined) site.guard.observe(decision, { status, durationMs, endsSession: false });
        send(this.answers.toFailure(failure, error, request));
      },
      onResponse: (head) => {
        if (this.#isStopping) response.shouldKeepAlive = false;
        site.guard.observe(decision, head);
      },
      addHeaders: ({ endsSession }) => toAnswerHeaders(decision, endsSession),
    });
  }

  async #answerUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    const send = (answer: RefusalAnswer) => endWith(socket as Socket, answer);
    const started = this.#start(request, send);
    if (started === undefined) return;
    const { counted, site } = started;
    socket.once('close', counted.giveBack);
    // After any other upgrade, such as h2c, requests would bypass the gate.
    if (request.method !== 'CONNECT' && !isWebSocket(request)) return send(this.answers.toWrongUpgrade(request));
    const decision = await this.#decide(site, request);
    if (socket.destroyed) return;
    if (decision.outcome !== 'pass') return send(toAnswer(decision, this.answers.traceIdOf(request)));
    const onFailure = (failure: Failure, error: Error) => send(this.answers.toFailure(failure, error, request));
    const options = { destination: site.route(decision), timeoutMs: this.#options.timeoutMs, onFailure };
    forwardUpgrade(socket, head, this.#toForwarded(request, decision), options);
  }

  /** What comes before any decision. undefined: the request has been refused. */
  #start(
    request: IncomingMessage,
    send: (answer: RefusalAnswer) => void,
  ): { counted: CountedRequest; site: ProxySite } | undefined {
    const flaw = findFlaw(request);
    if (flaw !== undefined) {
      send(this.answers.toFlaw(flaw, request));
      return undefined;
    }
    const site = this.#options.findSite(request.headers.host ?? '');
    if (site === undefined) {
      send(this.answers.toUnknownHost(request));
      return undefined;
    }
    const counted = this.#options.limits.tryTakeRequest(request);
    if (counted !== undefined) return { counted, site };
    send(this.answers.toTooMany('address_requests', request.socket.remoteAddress, request));
    return undefined;
  }

  async #decide({ guard, target: siteTarget }: ProxySite, request: IncomingMessage): Promise<Decision> {
    const { isTrusted, addressOf } = this.#options;
    const { method = '', url = '', headers, socket } = request;
    const forwarded = headers['x-forwarded-host'];
    const isForwarded = forwarded !== undefined && isTrusted(socket.remoteAddress ?? '');
    const host = isForwarded ? String(forwarded) : headers.host;
    const isSecure = () => this.#options.isSecure(request);
    const asked = { method, target: url, headers, host, address: addressOf(request), isSecure };
    return withSiteTarget(await guard.decide(asked), siteTarget);
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
    const added = toPassHeaders(pass);
    if (visitor !== undefined) added[identityHeader!] ??= toHeaderText(visitor);
    Object.assign(added, tracing?.inject());
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
