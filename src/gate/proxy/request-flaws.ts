/**
 * What makes a request unfit to be forwarded: anything that the HTTP client refuses to send, and anything that the gate
 * and the site could read differently. Found before the gate decides.
 */
import type { ErrorCode } from '../../http/errors.ts';
import { LONGEST_TARGET } from '../decision/request-target.ts';

export interface ReceivedRequest {
  method?: string | undefined;
  url?: string | undefined;
  httpVersion: string;
  rawHeaders: readonly string[];
}

export interface Flaw {
  code: ErrorCode;
  message: string;
}

const HEADERS_AT_MOST = 200;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const NOT_IN_A_VALUE = /[^\t\x20-\x7e\x80-\xff]/;
const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
const DIGITS = /^\d+$/;
/** Some servers take the first of two, some the last, some join them. */
const ONCE = new Set([
  'authorization',
  'content-length',
  'content-type',
  'expect',
  'host',
  'origin',
  'transfer-encoding',
  'x-cloudfront-verified',
  'x-queue-entry-token',
]);

export function findFlaw({ method = '', url = '', httpVersion, rawHeaders }: ReceivedRequest): Flaw | undefined {
  if (url.length > LONGEST_TARGET) {
    return { code: 'URI_TOO_LONG', message: `The request target is longer than ${LONGEST_TARGET} characters.` };
  }
  if (rawHeaders.length > 2 * HEADERS_AT_MOST) {
    return { code: 'HEADERS_TOO_LARGE', message: `The request has more than ${HEADERS_AT_MOST} headers.` };
  }
  if (!TOKEN.test(method)) return malformed('the method is not a token');
  const once = new Map<string, string>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase();
    const value = rawHeaders[at + 1]!;
    if (!TOKEN.test(name)) return malformed('a header name is not a token');
    if (NOT_IN_A_VALUE.test(value)) return malformed('a header value has a control character');
    if (name === 'expect' && value.toLowerCase() !== '100-continue') return malformed('unknown expectation');
    if (!ONCE.has(name)) continue;
    if (once.has(name)) return malformed(`the header ${name} must occur once`);
    once.set(name, value);
  }
  return findFlawOfFraming(once, httpVersion);
}

/** What decides where the request ends and which site it is for. */
function findFlawOfFraming(once: ReadonlyMap<string, string>, httpVersion: string): Flaw | undefined {
  // Without it the HTTP client would send the address of the upstream.
  if (!HOST.test(once.get('host') ?? '')) return malformed('the header host must be a host name or IP address');
  const length = once.get('content-length');
  if (length !== undefined && !DIGITS.test(length)) return malformed('the header content-length must be a number');
  const coding = once.get('transfer-encoding');
  if (coding === undefined) return undefined;
  if (length !== undefined) return malformed('content-length and transfer-encoding exclude each other');
  if (coding.toLowerCase() !== 'chunked') return malformed('the header transfer-encoding must be chunked');
  return httpVersion === '1.1' ? undefined : malformed('transfer-encoding requires HTTP/1.1');
}

const malformed = (why: string): Flaw => ({ code: 'BAD_REQUEST', message: `The request is malformed: ${why}.` });
