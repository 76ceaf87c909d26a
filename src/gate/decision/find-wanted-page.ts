/** Where a refused visitor wants to go: the page they asked for, or the page that sent the request. */
import { toWantedPage } from '../../http/wanted-page.ts';
import type { GateRequest, Headers } from './gate-request.ts';
import type { Rule } from './rules.ts';

/** `normal`: the normalized target of the request. */
export function findWantedPage(request: GateRequest, normal: string, answer: Rule['answer']): string | undefined {
  return isPageLoad(request, answer) ? toWantedPage(normal) : findSendingPage(request.headers, request.host);
}

/** The page that sent a request, if it is one of this site. `host`: as in GateRequest. */
export function findSendingPage(headers: Headers, host: string | undefined): string | undefined {
  const { referer } = headers;
  const own = host ?? headers.host;
  if (typeof referer !== 'string' || typeof own !== 'string') return undefined;
  try {
    const page = new URL(referer);
    // Parsed alike, to compare default ports. TLS may end at a proxy, so the scheme is that of the page.
    const isOwn = /^https?:$/.test(page.protocol) && new URL(`${page.protocol}//${own}`).host === page.host;
    return isOwn ? toWantedPage(page.pathname + page.search) : undefined;
  } catch {
    return undefined;
  }
}

/** A request whose body would be lost, or whose response no visitor sees, is none. Browsers say what they load. */
function isPageLoad({ method, headers }: GateRequest, answer: Rule['answer']): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const loads = headers['sec-fetch-dest'];
  return loads === undefined ? answer === 'page' : loads === 'document';
}
