/**
 * The gate's decision: pass a request, redirect it to a waiting page, or refuse it. Pure, so every adapter (proxy, hook,
 * forward auth, edge runtime) decides the same way.
 */
import { applyAccess, isBlocked } from './apply-access.ts';
import { decideByProof, type ProofRules } from './decide-by-proof.ts';
import type { Decision, Pass } from './decision.ts';
import type { GateRequest, VerificationKeys } from './gate-request.ts';
import type { AccessJudge } from './judge-access.ts';
import type { ReadRequest } from './read-request.ts';
import { deny } from './refuse.ts';
import type { RuleBook } from './rules.ts';

/** The compiled rules, with what changes while they are in force. */
export interface Rules extends ProofRules {
  read: ReadRequest;
  otherwise: RuleBook['otherwise'];
}

/** TRACE and TRACK echo the request, tokens included. CONNECT opens a tunnel. */
const NEVER_PASSED = ['TRACE', 'TRACK', 'CONNECT'];
const NO_COOKIES: readonly string[] = [];

export function decide(request: GateRequest, rules: Rules, keys: VerificationKeys, now: number): Decision {
  const reading = rules.read(request.method, request.target);
  if (reading.outcome === 'ambiguous')
    return deny(400, 'AMBIGUOUS_PATH', { message: `Ambiguous request target: ${reading.why}.` });
  const { target, matched, named } = reading;
  if (matched.outcome === 'method-not-listed' || NEVER_PASSED.includes(request.method)) {
    return deny(405, 'METHOD_NOT_ALLOWED');
  }
  const { access } = rules;
  const question = { request, segments: target.segments, query: target.query, keys, now };
  if (isBlocked(question, named, access)) return deny(403, 'BLOCKED');
  if (matched.outcome === 'none') {
    return rules.otherwise === 'pass' ? createPass(target.normal, 'none', access) : deny(403, 'NOT_OPEN');
  }
  const { rule } = matched;
  const pass = createPass(target.normal, rule.require, access);
  if (rule.require === 'none') return pass;
  if (named?.outcome === 'wrong') return deny(400, 'INVALID_INPUT', { message: named.message });
  const check = { request, rule, eventId: named?.eventId, now };
  const decision = decideByProof(check, rules, keys, pass);
  return access === undefined ? decision : applyAccess(decision, check, question, access, pass);
}

function createPass(target: string, require: Pass['require'], access: AccessJudge | undefined): Pass {
  return {
    outcome: 'pass',
    target,
    require,
    eventId: undefined,
    visitor: undefined,
    strict: undefined,
    session: undefined,
    setCookies: NO_COOKIES,
    withheld: access?.secretHeaders,
  };
}
