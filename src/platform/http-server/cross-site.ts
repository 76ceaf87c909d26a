/**
 * Decides whether a browser sent a request on behalf of another site. Such a request may show a page, but it must not
 * change anything or set a cookie: the visitor may not know of it.
 *
 * - `Sec-Fetch-Site` decides where it is present. Scripts cannot set it, and browsers send it over TLS and to localhost.
 *   `none` is a visitor's own doing: a typed URL, a bookmark. `same-site` is another subdomain, which may belong to
 *   somebody else, so it counts as cross-site unless its origin is trusted.
 * - Otherwise `Origin`, which browsers send with every request that is not a plain GET.
 * - A request with neither is not from a browser that another site could misuse: curl, a server, a native app.
 *
 * An `Authorization` header makes no difference. No other site can attach one without a CORS preflight, and none is
 * answered except for listed origins (cors.ts), so an exception would only weaken the rule.
 */
import type { IncomingHttpHeaders } from 'node:http';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether another site caused this request. Its response sets no cookies. */
    isCrossSite: boolean;
  }
  interface FastifyContextConfig {
    /**
     * What happens to cross-site requests. By default GET and HEAD are allowed, because people follow links, and all
     * other methods are refused. `refused` is for a GET that changes something; `allowed` is for callers that prove
     * themselves in another way, or on whose behalf a proxy asks.
     */
    crossSite?: 'allowed' | 'refused';
  }
}

export interface OriginFacts {
  headers: IncomingHttpHeaders;
  /** As the browser sees them: behind a trusted proxy, from its X-Forwarded-* headers. */
  protocol: string;
  host: string;
}

const READING: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

export function isCrossSite(request: OriginFacts, trustedOrigins: ReadonlySet<string>): boolean {
  const { headers } = request;
  if (isPlainlyOwn(headers) || headers['sec-fetch-site'] === 'none') return false;
  if (headers.origin !== undefined && trustedOrigins.has(headers.origin)) return false;
  return headers['sec-fetch-site'] !== undefined || !isOwnOrigin(request);
}

/** Same-origin beyond doubt, or not from a browser. The fast path takes no other requests. */
export function isPlainlyOwn(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined ? headers.origin === undefined : site === 'same-origin';
}

export function refusesCrossSite(method: string, crossSite: 'allowed' | 'refused' | undefined): boolean {
  return crossSite === undefined ? !READING.includes(method) : crossSite === 'refused';
}

/** An https page of this host is accepted over http too: TLS may end at a proxy that is not in TRUST_PROXY. */
function isOwnOrigin({ headers: { origin }, protocol, host }: OriginFacts): boolean {
  return origin === `${protocol}://${host}` || origin === `https://${host}`;
}
