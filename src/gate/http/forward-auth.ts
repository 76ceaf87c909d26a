/**
 * The protocols in which other proxies ask the gate about a request. nginx (auth_request) sends `X-Original-URI` and
 * understands only 2xx, 401 and 403. Traefik and Caddy (forward auth) send `X-Forwarded-Uri` and return any other response
 * to the visitor.
 */

import type { Pass, Refusal } from '../decision/decision.ts';
import type { GateRequest, Headers } from '../decision/gate-request.ts';
import { EVENT_HEADER, toPassHeaders, VISITOR_HEADER } from '../decision/pass-headers.ts';
import { type RefusalAnswer, toAnswer } from '../decision/refusal-answer.ts';

export type Dialect = 'auth-request' | 'forward-auth';

export type OriginalRequest =
  | { outcome: 'found'; request: GateRequest; dialect: Dialect }
  | { outcome: 'none' }
  /** A header is missing, or two disagree: one of them may come from the visitor. */
  | { outcome: 'conflict' };

/** Known from the connection of the check, and from its forwarded headers if the proxy is trusted. */
export type CheckFacts = Required<Pick<GateRequest, 'address' | 'isSecure'>>;

export const REDIRECT_HEADER = 'x-fairline-redirect';
export const CODE_HEADER = 'x-fairline-code';

export function readOriginalRequest(headers: Headers, { address, isSecure }: CheckFacts): OriginalRequest {
  const target = readOne(headers['x-original-uri'], headers['x-forwarded-uri']);
  const method = readOne(headers['x-original-method'], headers['x-forwarded-method']);
  if (target === undefined && method === undefined) return { outcome: 'none' };
  if (typeof target !== 'string' || typeof method !== 'string') return { outcome: 'conflict' };
  const dialect = headers['x-original-uri'] === undefined ? 'forward-auth' : 'auth-request';
  // A literal: adding to a copy of an object takes longer than verifying a token.
  const request = { method, target, headers, host: hostOf(headers), address, isSecure };
  return { outcome: 'found', request, dialect };
}

type HeaderValue = Headers[string];

/** The one value of two headers; null if they disagree. */
function readOne(a: HeaderValue, b: HeaderValue): string | undefined | null {
  if (typeof a === 'string' && b === undefined) return a;
  const values = new Set([a ?? [], b ?? []].flat());
  return values.size > 1 ? null : [...values][0];
}

/** The host that the visitor used. Some proxies put that of the gate into Host. */
export function hostOf(headers: Headers): string | undefined {
  const host = headers['x-forwarded-host'] ?? headers.host;
  return typeof host === 'string' ? host : undefined;
}

/**
 * For the proxy to forward to the site; it must overwrite what a visitor sends under these names. Both are always
 * present, even if empty, because proxies differ in how they treat a missing header.
 */
export function toProxyHeaders(pass: Pass): Record<string, string> {
  const headers = toPassHeaders(pass);
  headers[EVENT_HEADER] ??= '';
  headers[VISITOR_HEADER] ??= '';
  return headers;
}

export function toDialect(refusal: Refusal, dialect: Dialect): RefusalAnswer {
  const answer = toAnswer(refusal);
  const to = refusal.outcome === 'redirect' ? refusal.to : refusal.redirectTo;
  const hints: Record<string, string> = {
    [CODE_HEADER]: refusal.code,
    ...(to === undefined ? {} : { [REDIRECT_HEADER]: to }),
  };
  if (dialect === 'forward-auth') return { ...answer, headers: { ...answer.headers, ...hints } };
  // Without a body: nginx discards it, and with it the connection that carried it.
  const { location: _, 'content-type': __, 'content-length': ___, ...headers } = answer.headers;
  return { status: statusForNginx(refusal), headers: { ...headers, ...hints }, body: '' };
}

/** 401 means redirect, 403 means refuse. nginx turns any other status into a 500. */
function statusForNginx(refusal: Refusal): 401 | 403 {
  return refusal.outcome === 'redirect' ? 401 : 403;
}
