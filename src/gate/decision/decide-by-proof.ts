/** Whether a request proves that its sender has waited: by the word of our CDN, or by tokens. */
import type { ErrorCode } from '../../http/errors.ts';
import type { Entry } from '../../line/tokens/entry-pass.ts';
import { readCookie } from '../../platform/http-server/cookies.ts';
import { VWR_COOKIE, type VwrPass } from '../../tier1/tokens/vwr-pass.ts';
import type { Decision, Pass } from './decision.ts';
import type { GateRequest, Headers, VerificationKeys } from './gate-request.ts';
import type { AccessJudge } from './judge-access.ts';
import { isInTime, judgeEntry } from './judge-entry.ts';
import { type AdmittedVisitor, CDN_HEADER, fromPassHeaders } from './pass-headers.ts';
import { sendTo } from './refuse.ts';
import { EVENT_ID } from './rule-syntax.ts';
import type { Rule } from './rules.ts';

/** What the proof depends on besides the request. */
export interface ProofRules {
  /** While tier 1 is off for an event, no vwr token is required. */
  isTier1On(eventId: string): boolean;
  /** Bypasses, blocks, bans. undefined: there are none. */
  access?: AccessJudge | undefined;
}

export interface ProofCheck {
  request: GateRequest;
  rule: Rule;
  /** undefined: the request names no event; the tokens do. */
  eventId: string | undefined;
  now: number;
}

/** By the word of our CDN, or by tokens. */
export function decideByProof(check: ProofCheck, rules: ProofRules, keys: VerificationKeys, pass: Pass): Decision {
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

/** For a request that has passed another gate, which may be unable to renew. */
function findSession(check: ProofCheck, keys: VerificationKeys): Pass['session'] {
  if (check.rule.renews !== true) return undefined;
  const { proof } = findEntry(check, keys);
  return proof && { entry: proof, answer: check.rule.answer, renews: true };
}

/** Checks tier 1 first, because visitors pass it first. */
function decideByTokens(check: ProofCheck, rules: ProofRules, keys: VerificationKeys, pass: Pass): Decision {
  const { request, rule } = check;
  const asked = { request, target: pass.target, answer: rule.answer };
  const needsEntry = rule.require !== 'vwr';
  const entry = needsEntry ? findEntry(check, keys) : { proof: undefined, code: undefined };
  const known = check.eventId ?? entry.proof?.eventId;
  // While tier 1 is off for the event, nobody asks for its token.
  const mayNeedVwr = rule.require !== 'entry' && (known === undefined || rules.isTier1On(known));
  const vwr = mayNeedVwr ? findVwr(check, keys) : { proof: undefined, code: undefined };
  const eventId = known ?? vwr.proof?.eventId;
  const needsVwr = mayNeedVwr && eventId !== undefined && rules.isTier1On(eventId);
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
    strict: rule.strict && entry.proof !== undefined ? { entry: entry.proof, answer: rule.answer } : undefined,
    session: entry.proof && { entry: entry.proof, answer: rule.answer, renews: rule.renews === true },
  };
}

/** A valid proof of the caller, or why there is none. Does not check which event it is for. */
type Found<T> = { proof: T; code: undefined } | { proof: undefined; code: ErrorCode | undefined };

function findEntry({ request: { headers }, eventId, now }: ProofCheck, keys: VerificationKeys): Found<Entry> {
  const judged = judgeEntry(headers, { eventId, keys, now });
  return judged.outcome === 'good' ? { proof: judged.entry, code: undefined } : { proof: undefined, code: judged.code };
}

function findVwr({ request: { headers }, now }: ProofCheck, keys: VerificationKeys): Found<VwrPass> {
  const token = readCookie(cookiesOf(headers), VWR_COOKIE);
  if (token === undefined) return { proof: undefined, code: 'VWR_REQUIRED' };
  const pass = keys.vwr(token);
  const isGood = pass !== undefined && isInTime(pass, now) && pass.device === keys.device(headers);
  return isGood ? { proof: pass, code: undefined } : { proof: undefined, code: 'VWR_TOKEN_INVALID' };
}

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

function cookiesOf(headers: Headers): string | undefined {
  const { cookie } = headers;
  return Array.isArray(cookie) ? cookie.join('; ') : cookie;
}
