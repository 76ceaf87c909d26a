/**
 * What another proxy asks of the gate before it lets a request pass: which request, and how the proxy wants to be
 * answered. nginx says `X-Original-URI` and understands 2xx, 401 and 403 only; Traefik and Caddy say `X-Forwarded-Uri`
 * and pass any other answer on to the visitor.
 */
import type { GateRequest, Pass, Refusal } from './decide.ts';
import type { Headers } from './judge-entry.ts';
import { type RefusalAnswer, toAnswer } from './refusal-answer.ts';

export type Dialect = 'auth-request' | 'forward-auth';

export type Asked =
  | { outcome: 'asked'; request: GateRequest; dialect: Dialect }
  | { outcome: 'nothing' }
  /** Two headers that disagree: one of them may be the visitor's own. */
  | { outcome: 'contradiction' };

export const REDIRECT_HEADER = 'x-fairline-redirect';
export const CODE_HEADER = 'x-fairline-code';
const URI_HEADERS = ['x-original-uri', 'x-forwarded-uri'];
const METHOD_HEADERS = ['x-original-method', 'x-forwarded-method'];

export function readAsked(headers: Headers): Asked {
  const uris = valuesOf(headers, URI_HEADERS);
  const methods = valuesOf(headers, METHOD_HEADERS);
  if (uris.size === 0 && methods.size === 0) return { outcome: 'nothing' };
  const [target] = uris;
  const [method] = methods;
  if (uris.size !== 1 || methods.size !== 1) return { outcome: 'contradiction' };
  const dialect = headers['x-original-uri'] === undefined ? 'forward-auth' : 'auth-request';
  return { outcome: 'asked', request: { method: method!, target: target!, headers }, dialect };
}

/**
 * For the proxy to hand on to the site; it must overwrite what a visitor sends under these names. Both are always there,
 * if need be empty, since proxies differ in what they make of a header that is not.
 */
export function toPassHeaders({ eventId, visitor }: Pass): Record<string, string> {
  return { 'x-fairline-event': eventId ?? '', 'x-fairline-visitor': encodeURIComponent(visitor ?? '') };
}

export function toDialect(refusal: Refusal, dialect: Dialect): RefusalAnswer {
  const answer = toAnswer(refusal);
  const to = refusal.outcome === 'redirect' ? refusal.to : refusal.redirectTo;
  const hints: Record<string, string> = {
    [CODE_HEADER]: refusal.code,
    ...(to === undefined ? {} : { [REDIRECT_HEADER]: to }),
  };
  if (dialect === 'forward-auth') return { ...answer, headers: { ...answer.headers, ...hints } };
  const { location: _, ...headers } = answer.headers;
  return { ...answer, status: statusForNginx(refusal), headers: { ...headers, ...hints } };
}

/** 401 is "send them there", 403 is "refuse"; anything else would be an error of the proxy's. */
function statusForNginx(refusal: Refusal): 401 | 403 {
  return refusal.outcome === 'redirect' ? 401 : 403;
}

function valuesOf(headers: Headers, names: readonly string[]): Set<string> {
  return new Set(names.flatMap((name) => headers[name] ?? []));
}
