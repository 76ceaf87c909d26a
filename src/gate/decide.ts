/**
 * The gate: whether a request may go on, is sent to wait, or is refused. Pure: what it decides by is handed in, so that
 * every place a gate can stand decides alike.
 */

import type { ErrorCode } from '../http/errors.ts';
import type { Entry } from '../line/tokens/entry-pass.ts';
import { readCookie } from '../platform/http-server/cookies.ts';
import { VWR_COOKIE, type VwrPass } from '../tier1/tokens/vwr-pass.ts';
import { type EntryKeys, type Headers, isInTime, judgeEntry } from './judge-entry.ts';
import type { Match, Matcher } from './match-rule.ts';
import { readQueryField, readTarget } from './request-target.ts';
import { EVENT_ID, type Rule, type RuleBook } from './rules.ts';

export interface GateRequest {
  method: string;
  /** As it came: path and query. */
  target: string;
  /** By their names in lower case. */
  headers: Headers;
}

/** Rules that are in force. */
export interface Rules {
  match: Matcher;
  otherwise: RuleBook['otherwise'];
  /** Whether visitors of this event are numbered before the site now; where not, no vwr token is needed. */
  isTier1On(eventId: string): boolean;
}

/** What can be told from a request by those who hold the secrets. Of tokens: what they say, if they are genuine. */
export interface Keys extends EntryKeys {
  vwr(token: string): VwrPass | undefined;
  device(headers: Headers): string | undefined;
  /** Whether a CDN of ours that has checked the tokens itself sends this. */
  isVerifiedByCdn(proof: string): boolean;
}

export interface Pass {
  outcome: 'pass';
  /** What to send on: the target that was decided upon. */
  target: string;
  /** What the rule demanded; none where no rule knows the path. */
  require: Rule['require'];
  eventId: string | undefined;
  visitor: string | undefined;
  /** To be shown to the line, which may know that the admission has ended. */
  strict: { entry: Entry; answer: Rule['answer'] } | undefined;
}

export type Refusal =
  | { outcome: 'redirect'; to: string; code: ErrorCode }
  | { outcome: 'deny'; status: number; code: ErrorCode; message?: string; redirectTo?: string };

export type Decision = Pass | Refusal;

export const CDN_HEADER = 'x-cloudfront-verified';
/** Sends back whatever it was sent, tokens included. */
const NEVER_PASSED = ['TRACE', 'TRACK', 'CONNECT'];

export function decide(request: GateRequest, rules: Rules, keys: Keys, now: number): Decision {
  const target = readTarget(request.target);
  if (target.outcome === 'ambiguous') return deny(400, 'AMBIGUOUS_PATH', { message: `Not taken: ${target.why}.` });
  const matched = rules.match(request.method, target.segments);
  if (matched.outcome === 'method-not-listed' || NEVER_PASSED.includes(request.method)) {
    return deny(405, 'METHOD_NOT_ALLOWED');
  }
  const pass: Pass = {
    outcome: 'pass',
    target: target.normal,
    require: 'none',
    eventId: undefined,
    visitor: undefined,
    strict: undefined,
  };
  if (matched.outcome === 'none') return rules.otherwise === 'pass' ? pass : deny(403, 'NOT_OPEN');
  const { rule } = matched;
  if (rule.require === 'none') return pass;
  const named = eventNamed(matched, target.query);
  if (named.outcome === 'wrong') return deny(400, 'INVALID_INPUT', { message: named.message });
  const asked = { request, rule, eventId: named.eventId, now };
  if (!rule.strict && isVerifiedByCdn(request.headers, keys)) {
    return { ...pass, require: rule.require, eventId: named.eventId };
  }
  return decideByTokens(asked, rules, keys, { ...pass, require: rule.require });
}

/** Whether our own servers may be told that the tokens were checked. A vwr token alone is not worth that. */
export function isProven({ require }: Pass): boolean {
  return require === 'entry' || require === 'both';
}

/** What a refusal becomes once the line has said that an admission is over. */
export function refuseEnded({ entry, answer }: NonNullable<Pass['strict']>): Refusal {
  return sendTo('/queue', entry.eventId, 'ENTRY_TOKEN_INVALID', answer);
}

interface Asked {
  request: GateRequest;
  rule: Rule;
  /** undefined: the request does not say; the tokens do. */
  eventId: string | undefined;
  now: number;
}

/** Tier 1 comes first, as it does for the visitor. */
function decideByTokens(asked: Asked, rules: Rules, keys: Keys, pass: Pass): Decision {
  const { rule } = asked;
  const needsEntry = rule.require !== 'vwr';
  const entry = needsEntry ? findEntry(asked, keys) : { proof: undefined, code: undefined };
  const vwr = rule.require === 'entry' ? { proof: undefined, code: undefined } : findVwr(asked, keys);
  const eventId = asked.eventId ?? entry.proof?.eventId ?? vwr.proof?.eventId;
  const needsVwr = rule.require !== 'entry' && eventId !== undefined && rules.isTier1On(eventId);
  if (needsVwr && vwr.proof?.eventId !== eventId) {
    return sendTo('/vwr', eventId, vwr.code ?? 'VWR_TOKEN_INVALID', rule.answer);
  }
  if (needsEntry && entry.proof === undefined) {
    return sendTo('/queue', eventId, entry.code ?? 'ENTRY_TOKEN_INVALID', rule.answer);
  }
  return {
    ...pass,
    eventId,
    visitor: entry.proof?.visitor,
    strict: rule.strict && entry.proof !== undefined ? { entry: entry.proof, answer: rule.answer } : undefined,
  };
}

/** A proof that is good for its bearer now, or why there is none. Whether it is for this event is not looked at. */
type Found<T> = { proof: T; code: undefined } | { proof: undefined; code: ErrorCode | undefined };

function findEntry({ request: { headers }, eventId, now }: Asked, keys: Keys): Found<Entry> {
  const judged = judgeEntry(headers, { eventId, keys, now });
  return judged.outcome === 'good' ? { proof: judged.entry, code: undefined } : { proof: undefined, code: judged.code };
}

function findVwr({ request: { headers }, now }: Asked, keys: Keys): Found<VwrPass> {
  const token = readCookie(cookiesOf(headers), VWR_COOKIE);
  if (token === undefined) return { proof: undefined, code: 'VWR_REQUIRED' };
  const pass = keys.vwr(token);
  const isGood = pass !== undefined && isInTime(pass, now) && pass.device === keys.device(headers);
  return isGood ? { proof: pass, code: undefined } : { proof: undefined, code: 'VWR_TOKEN_INVALID' };
}

function eventNamed(
  { rule, eventId }: Match,
  query: string,
): { outcome: 'known'; eventId: string | undefined } | { outcome: 'wrong'; message: string } {
  const { event } = rule;
  if (event.from === 'fixed') return { outcome: 'known', eventId: event.eventId };
  if (event.from === 'token') return { outcome: 'known', eventId: undefined };
  const name = event.from === 'query' ? event.field : 'eventId';
  const field =
    event.from === 'query' ? readQueryField(query, name) : ({ found: 'one', value: eventId ?? '' } as const);
  if (field.found === 'one' && EVENT_ID.test(field.value)) return { outcome: 'known', eventId: field.value };
  const wanted = 'must be letters, digits, _ and -, 64 at most';
  return { outcome: 'wrong', message: `${name} ${field.found === 'many' ? 'must be given once' : wanted}` };
}

function isVerifiedByCdn(headers: Headers, keys: Keys): boolean {
  const proof = headers[CDN_HEADER];
  return typeof proof === 'string' && keys.isVerifiedByCdn(proof);
}

/** Only ever a path of this site, made of a constant and an id that was checked. */
function sendTo(
  page: '/vwr' | '/queue',
  eventId: string | undefined,
  code: ErrorCode,
  answer: Rule['answer'],
): Refusal {
  const isKnown = eventId !== undefined && EVENT_ID.test(eventId);
  const to = isKnown ? `${page}/${eventId}` : page;
  return answer === 'page' ? { outcome: 'redirect', to, code } : deny(403, code, { redirectTo: to });
}

function deny(status: number, code: ErrorCode, more: { message?: string; redirectTo?: string } = {}): Refusal {
  return { outcome: 'deny', status, code, ...more };
}

function cookiesOf(headers: Headers): string | undefined {
  const { cookie } = headers;
  return Array.isArray(cookie) ? cookie.join('; ') : cookie;
}
