/** The gate as a Fetch API handler for edge runtimes. The package exports it as `fairline/gate`. */
import { isProven } from '../decision/decision.ts';
import { isForLine } from '../decision/line-paths.ts';
import { CDN_HEADER, RELEASE_HEADER, toPassHeaders } from '../decision/pass-headers.ts';
import { toAnswer } from '../decision/refusal-answer.ts';
import { toAnswerHeaders } from '../sessions/answer-headers.ts';
import { toKeptHeaders } from '../upstream-headers.ts';
import { createEdgeGuard, type EdgeGateOptions } from './edge-gate.ts';

export type { AdmittedVisitor } from '../decision/pass-headers.ts';
export { toAnswerHeaders } from '../sessions/answer-headers.ts';
export { createEdgeGate, type EdgeGate, type EdgeGateOptions } from './edge-gate.ts';
export { createMiddleware, type Middleware } from './middleware.ts';
export type { PublicKeyDocument } from './web-public-keys.ts';

export interface FetchHandlerOptions extends EdgeGateOptions {
  /** Origin of the site, such as `https://origin.example`. Absent: the request's own, as behind a CDN. */
  origin?: string;
  /**
   * The header in which the runtime itself sends the client address, such as `cf-connecting-ip`. It becomes
   * X-Forwarded-For. Absent: the site and the line see the address of the runtime.
   */
  clientAddressHeader?: string;
  /**
   * Passes an allowed request on, instead of fetching it: for a framework that routes requests itself, such as Next.js.
   * The request has the headers for the line or the site, and its URL there.
   */
  passOn?: (request: Request, to: 'line' | 'site') => Response | Promise<Response>;
}

/** The context that Workers pass to a handler: keeps the runtime at work after the response. */
export interface FetchContext {
  waitUntil(work: Promise<unknown>): void;
}

export type FetchHandler = (request: Request, context?: FetchContext) => Promise<Response>;

export function createFetchHandler(options: FetchHandlerOptions): FetchHandler {
  const guard = createEdgeGuard({ ...options, withinRequests: true });
  const { origin, lineUrl, secrets = {}, clientAddressHeader, passOn, fetch: send = fetch } = options;
  return async (request, context) => {
    const url = new URL(request.url);
    const headers = Object.fromEntries(request.headers);
    const isSecure = () => url.protocol === 'https:';
    const address = clientAddressHeader === undefined ? null : request.headers.get(clientAddressHeader);
    const asked = { method: request.method, target: url.pathname + url.search, headers, host: url.host };
    const decision = await guard.decide({ ...asked, isSecure, address: address ?? undefined });
    if (decision.outcome !== 'pass') {
      const { status, headers: answered, body } = toAnswer(decision);
      const hasBody = body !== '' && request.method !== 'HEAD';
      // Next.js accepts no relative Location from its middleware, and makes it relative again for the visitor.
      const { location } = answered;
      const absolute = passOn === undefined || location === undefined ? {} : { location: new URL(location, url).href };
      return new Response(hasBody ? body : null, { status, headers: { ...answered, ...absolute } });
    }
    const isLine = lineUrl !== undefined && isForLine(decision.target);
    const to = isLine ? lineUrl : (origin ?? url.origin);
    const proof = isProven(decision) ? secrets.cdn : undefined;
    const ours = {
      'x-forwarded-host': url.host,
      'x-forwarded-proto': url.protocol.slice(0, -1),
      ...(address === null ? {} : { 'x-forwarded-for': address }),
      ...(proof === undefined ? {} : { [CDN_HEADER]: proof }),
      ...toPassHeaders(decision),
    };
    const sentAt = performance.now();
    const passedOn = toPassedOn(request, `${to}${decision.target}`, ours);
    for (const name of decision.withheld ?? []) passedOn.headers.delete(name);
    if (passOn !== undefined) {
      context?.waitUntil(guard.settled());
      return toAnswered(await passOn(passedOn, isLine ? 'line' : 'site'), toAnswerHeaders(decision));
    }
    const response = await send(passedOn);
    const endsSession = response.headers.has(RELEASE_HEADER);
    guard.observe(decision, { status: response.status, durationMs: performance.now() - sentAt, endsSession });
    context?.waitUntil(guard.settled());
    return toAnswered(response, toAnswerHeaders(decision, endsSession));
  };
}

function toAnswered(response: Response, added: readonly [string, string][]): Response {
  if (added.length === 0 && !response.headers.has(RELEASE_HEADER)) return response;
  const { status, statusText, body } = response;
  const headers = new Headers(response.headers);
  headers.delete(RELEASE_HEADER);
  for (const [name, value] of added) headers.append(name, value);
  return new Response(body, { status, statusText, headers });
}

/** Only the gate sets the headers that our servers trust. Redirects are returned to the visitor, not followed. */
function toPassedOn(request: Request, url: string, ours: Record<string, string>): Request {
  const headers = new Headers(toKeptHeaders([...request.headers].flat()));
  for (const [name, value] of Object.entries(ours)) headers.set(name, value);
  const { method, body, signal } = request;
  const streamed = body === null ? {} : { body, duplex: 'half' as const };
  return new Request(url, { method, headers, redirect: 'manual', signal, ...streamed });
}
