/**
 * The gate's decision: pass a request, redirect it to a waiting page, or refuse it. Pure, so every adapter (proxy, hook,
 * forward auth, edge runtime) decides the same way.
 */

import type { ErrorCode } from '../../http/errors.ts';
import { withWantedPage } from '../../http/wanted-page.ts';
import type { Entry } from '../../line/tokens/entry-pass.ts';
import { readCookie } from '../../platform/http-server/cookies.ts';
import { VWR_COOKIE, type VwrPass } from '../../tier1/tokens/vwr-pass.ts';
import { findWantedPage } from './find-wanted-page.ts';
import type { GateRequest, Headers, VerificationKeys } from './gate-request.ts';
import type { AccessJudge, AccessQuestion, Bypass } from './judge-access.ts';
import { isInTime, judgeEntry } from './judge-entry.ts';
import type { Match, Matched, Matcher } from './match-rule.ts';
import { findOtherReading } from './other-readings.ts';
import { type AdmittedVisitor, fromPassHeaders } from './pass-headers.ts';
import { type QueryField, readQueryField } from './query-fields.ts';
import { readTarget } from './request-target.ts';
import { EVENT_ID } from './rule-syntax.ts';
import type { Rule, RuleBook } from './rules.ts';

/** The compiled rules, with the tier 1 switch of each event. */
export interface Rules {
  match: Matcher;
  otherwise: RuleBook['otherwise'];
  /** While tier 1 is off for an event, no vwr token is required. */
  isTier1On(eventId: string): boolean;
  /** Bypasses, blocks, bans. undefined: there are none. */
  access?: AccessJudge | undefined;
}

/** `eventId` and `visitor` are those of verified tokens; both are undefined if none was required. */
export interface Pass extends AdmittedVisitor {
  outcome: 'pass';
  /** The normalized target. Forward this, not the received one. */
  target: string;
  /** The requirement of the matching rule; `none` if no rule matches. */
  require: Rule['require'];
  /** Set by a strict rule: the caller must also check with the line that the admission has not ended. */
  strict: { entry: Entry; answer: Rule['answer'] } | undefined;
  /** The session of a verified entry token. `renews`: the request counts as a sign of life. */
  session: { entry: Entry; answer: Rule['answer']; renews: boolean } | undefined;
  /** Cookies for the visitor, complete Set-Cookie values. Every adapter adds them to the site's response. */
  setCookies: readonly string[];
  /** The renewed entry token of a visitor who sends it in a header. Adapters add it by toAnswerHeaders. */
  entryToken?: string;
  /** The id of the admission that the entry token proves. */
  tokenId?: string | undefined;
  /** Set if the request passes without the required tokens. */
  bypass?: Bypass | undefined;
  /** Headers of the visitor that the site must not see, in lower case. */
  withheld?: readonly string[];
}

export type Refusal =
  | { outcome: 'redirect'; to: string; code: ErrorCode; waits?: Waits }
  | {
      outcome: 'deny';
      status: number;
      code: ErrorCode;
      message?: string;
      redirectTo?: string;
      waits?: Waits;
      retryAfterSeconds?: number;
      /** Answers with a page. */
      page?: { languages: string | undefined };
    };

/** The refusal sends the visitor to wait, for this event if it is known. */
export interface Waits {
  eventId: string | undefined;
}

export type Decision = Pass | Refusal;

export const CDN_HEADER = 'x-cloudfront-verified';
/** TRACE and TRACK echo the request, tokens included. CONNECT opens a tunnel. */
const NEVER_PASSED = ['TRACE', 'TRACK', 'CONNECT'];

export function decide(request: GateRequest, rules: Rules, keys: VerificationKeys, now: number): Decision {
  const target = readTarget(request.target);
  if (target.outcome === 'ambiguous')
    return deny(400, 'AMBIGUOUS_PATH', { message: `Ambiguous request target: ${target.why}.` });
  const matched = rules.match(request.method, target.segments);
  const other = findOtherReading({ ...target, method: request.method }, matched, rules.match);
  if (other !== undefined) return deny(400, 'AMBIGUOUS_PATH', { message: `Ambiguous request target: ${other}.` });
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
    session: undefined,
    setCookies: [],
    ...(rules.access && { withheld: rules.access.secretHeaders }),
  };
  const question = { request, segments: target.segments, query: target.query, keys, now };
  if (isBlocked(question, matched, rules.access)) return deny(403, 'BLOCKED');
  if (matched.outcome === 'none') return rules.otherwise === 'pass' ? pass : deny(403, 'NOT_OPEN');
  const { rule } = matched;
  if (rule.require === 'none') return pass;
  const named = readEventId(matched, target.query);
  if (named.outcome === 'wrong') return deny(400, 'INVALID_INPUT', { message: named.message });
  const check = { request, rule, eventId: named.eventId, now };
  const decision = decideByProof(check, rules, keys, { ...pass, require: rule.require });
  return rules.access === undefined ? decision : applyAccess(decision, check, question, rules.access, pass);
}

/** By the word of our CDN, or by tokens. */
function decideByProof(check: TokenCheck, rules: Rules, keys: VerificationKeys, pass: Pass): Decision {
  const { request, rule, eventId } = check;
  const vouched = rule.strict ? undefined : readVouched(request.headers, eventId, keys);
  // Only the token says which admission it was: the visitor may have been ejected and admitted again.
  const isDoubtful =
    vouched?.eventId !== undefined &&
    vouched.visitor !== undefined &&
    rules.access?.isEjected(vouched.eventId, vouched.visitor, undefined) === true;
  if (vouched === undefined || isDoubtful) return decideByTokens(check, rules, keys, pass);
  return { ...pass, ...vouched, session: findSession(check, keys) };
}

function isBlocked(question: AccessQuestion, matched: Matched, access: AccessJudge | undefined): boolean {
  if (!access?.hasBlocks) return false;
  const named = matched.outcome === 'rule' ? readEventId(matched, question.query) : undefined;
  return access.isBlocked(question, named?.outcome === 'known' ? named.eventId : undefined);
}

/**
 * Bans and ejections come first, then bypasses, then what the tokens say. Who may not pass an event at all is told so
 * instead of being sent to wait for it.
 */
function applyAccess(
  decision: Decision,
  { rule, eventId: named, request, now }: TokenCheck,
  question: AccessQuestion,
  access: AccessJudge,
  pass: Pass,
): Decision {
  const asked = { request, target: pass.target, answer: rule.answer };
  const isPass = decision.outcome === 'pass';
  const eventId = isPass ? (decision.eventId ?? named) : named;
  const { visitor, tokenId } = isPass ? decision : { visitor: undefined, tokenId: undefined };
  // An address in the ban list gets no redirect: if the line sees another address, that would be a loop.
  if (access.findBan(eventId, { address: request.address, now }) !== undefined) return deny(403, 'BANNED');
  if (visitor !== undefined && access.findBan(eventId, { visitor, address: undefined, now }) !== undefined) {
    return sendTo('/queue', eventId, 'BANNED', asked);
  }
  // For rules whose event only the token names.
  if (isPass && eventId !== named && access.isBlocked(question, eventId)) return deny(403, 'BLOCKED');
  const isEjected = visitor !== undefined && eventId !== undefined && access.isEjected(eventId, visitor, tokenId);
  const isAllowed = eventId === undefined || access.isAllowed(question, eventId);
  if (isPass && !isEjected && isAllowed) return decision;
  const bypass = access.findBypass(question, named);
  if (bypass !== undefined) return { ...pass, require: rule.require, eventId: bypass.eventId, bypass };
  if (!isAllowed) return deny(403, 'NOT_ALLOWED');
  return isEjected ? sendTo('/queue', eventId, 'ENTRY_TOKEN_INVALID', asked) : decision;
}

/** Whether to vouch for the request to our own servers. A vwr token alone does not prove admission. */
export function isProven({ require }: Pass): boolean {
  return require === 'entry' || require === 'both';
}

/** The refusal for a visitor whose token is valid and whose admission has ended. `target`: that of the pass. */
export function refuseEnded({ entry, answer }: NonNullable<Pass['strict']>, asked: Omit<Asked, 'answer'>): Refusal {
  return sendTo('/queue', entry.eventId, 'ENTRY_TOKEN_INVALID', { ...asked, answer });
}

/** For a request that has passed another gate, which may be unable to renew. */
function findSession(check: TokenCheck, keys: VerificationKeys): Pass['session'] {
  if (check.rule.renews !== true) return undefined;
  const { proof } = findEntry(check, keys);
  return proof && { entry: proof, answer: check.rule.answer, renews: true };
}

interface TokenCheck {
  request: GateRequest;
  rule: Rule;
  /** undefined: the request names no event; the tokens do. */
  eventId: string | undefined;
  now: number;
}

/** Checks tier 1 first, because visitors pass it first. */
function decideByTokens(check: TokenCheck, rules: Rules, keys: VerificationKeys, pass: Pass): Decision {
  const { request, rule } = check;
  const asked = { request, target: pass.target, answer: rule.answer };
  const needsEntry = rule.require !== 'vwr';
  const entry = needsEntry ? findEntry(check, keys) : { proof: undefined, code: undefined };
  const vwr = rule.require === 'entry' ? { proof: undefined, code: undefined } : findVwr(check, keys);
  const eventId = check.eventId ?? entry.proof?.eventId ?? vwr.proof?.eventId;
  const needsVwr = rule.require !== 'entry' && eventId !== undefined && rules.isTier1On(eventId);
  if (needsVwr && vwr.proof?.eventId !== eventId) {
    return sendTo('/vwr', eventId, vwr.code ?? 'VWR_TOKEN_INVALID', asked);
  }
  if (needsEntry && entry.proof === undefined) {
    return sendTo('/queue', eventId, entry.code ?? 'ENTRY_TOKEN_INVALID', asked);
  }
  return {
    ...pass,
    // While tier 1 is off, nothing proves the event that a path names.
    eventId: needsEntry || needsVwr ? eventId : undefined,
    visitor: entry.proof?.visitor,
    tokenId: entry.proof?.tokenId,
    strict: rule.strict && entry.proof !== undefined ? { entry: entry.proof, answer: rule.answer } : undefined,
    session: entry.proof && { entry: entry.proof, answer: rule.answer, renews: rule.renews === true },
  };
}

/** A valid proof of the caller, or why there is none. Does not check which event it is for. */
type Found<T> = { proof: T; code: undefined } | { proof: undefined; code: ErrorCode | undefined };

function findEntry({ request: { headers }, eventId, now }: TokenCheck, keys: VerificationKeys): Found<Entry> {
  const judged = judgeEntry(headers, { eventId, keys, now });
  return judged.outcome === 'good' ? { proof: judged.entry, code: undefined } : { proof: undefined, code: judged.code };
}

function findVwr({ request: { headers }, now }: TokenCheck, keys: VerificationKeys): Found<VwrPass> {
  const token = readCookie(cookiesOf(headers), VWR_COOKIE);
  if (token === undefined) return { proof: undefined, code: 'VWR_REQUIRED' };
  const pass = keys.vwr(token);
  const isGood = pass !== undefined && isInTime(pass, now) && pass.device === keys.device(headers);
  return isGood ? { proof: pass, code: undefined } : { proof: undefined, code: 'VWR_TOKEN_INVALID' };
}

function readEventId(
  { rule, eventId }: Match,
  query: string,
): { outcome: 'known'; eventId: string | undefined } | { outcome: 'wrong'; message: string } {
  const { event } = rule;
  if (event.from === 'fixed') return { outcome: 'known', eventId: event.eventId };
  if (event.from === 'token') return { outcome: 'known', eventId: undefined };
  const name = event.from === 'query' ? event.field : 'eventId';
  const field: QueryField =
    event.from === 'query' ? readQueryField(query, name) : { found: 'one', value: eventId ?? '' };
  if (field.found === 'one' && EVENT_ID.test(field.value)) return { outcome: 'known', eventId: field.value };
  return { outcome: 'wrong', message: `${name} ${problems[field.found]}` };
}

const WANTED = 'must be 1 to 64 letters, digits, _ or -';
const problems: Record<QueryField['found'], string> = {
  one: WANTED,
  none: WANTED,
  many: 'must be given once, in this spelling',
  unclear: 'must be in a query that is valid percent-encoded UTF-8',
};

/**
 * What our own CDN, a gate itself, has found out. undefined: the request does not come from it, or it does not say the
 * event, so the tokens are verified here.
 */
function readVouched(headers: Headers, named: string | undefined, keys: VerificationKeys): AdmittedVisitor | undefined {
  const proof = headers[CDN_HEADER];
  if (typeof proof !== 'string' || !keys.isVerifiedByCdn(proof)) return undefined;
  const { eventId = named, visitor } = fromPassHeaders(headers);
  const isClear = eventId !== undefined && EVENT_ID.test(eventId) && (named === undefined || named === eventId);
  return isClear ? { eventId, visitor } : undefined;
}

interface Asked {
  request: GateRequest;
  /** The normalized target of the request. */
  target: string;
  answer: Rule['answer'];
}

/** Always a path of this site: a constant page, a validated event id and a validated page to return to. */
function sendTo(
  page: '/vwr' | '/queue',
  eventId: string | undefined,
  code: ErrorCode,
  { request, target, answer }: Asked,
): Refusal {
  const isKnown = eventId !== undefined && EVENT_ID.test(eventId);
  const to = isKnown ? withWantedPage(`${page}/${eventId}`, findWantedPage(request, target, answer)) : page;
  const waits = { eventId: isKnown ? eventId : undefined };
  return answer === 'page' ? { outcome: 'redirect', to, code, waits } : deny(403, code, { redirectTo: to, waits });
}

type DenyDetails = { message?: string; redirectTo?: string; waits?: Waits };

function deny(status: number, code: ErrorCode, more: DenyDetails = {}): Refusal {
  return { outcome: 'deny', status, code, ...more };
}

function cookiesOf(headers: Headers): string | undefined {
  const { cookie } = headers;
  return Array.isArray(cookie) ? cookie.join('; ') : cookie;
}
