/** The running gate: decides, checks strict rules with the line, counts. Every adapter on Node wraps a guard. */

import type { GateAccess } from './access/gate-access.ts';
import { decide } from './decision/decide.ts';
import type { Decision, Pass, Refusal } from './decision/decision.ts';
import type { GateRequest, VerificationKeys } from './decision/gate-request.ts';
import { isForLine } from './decision/line-paths.ts';
import { createMatcher } from './decision/match-rule.ts';
import { createReader } from './decision/read-request.ts';
import { refuseEnded } from './decision/refuse.ts';
import type { RuleBook } from './decision/rules.ts';
import type { FailOpen } from './fail-open/fail-open.ts';
import type { GateMetrics } from './gate-metrics.ts';
import type { HealthRecorder } from './health/health-recorder.ts';
import type { ActiveEvents } from './lookups/active-events.ts';
import type { AskLine } from './lookups/ask-line.ts';
import type { FindKeys } from './lookups/find-keys.ts';
import { endSession, keepSession } from './sessions/keep-session.ts';
import type { SessionKeeper } from './sessions/session-keeper.ts';

export interface GuardOptions {
  book: RuleBook;
  keys: VerificationKeys;
  /** Looks for a key that came just now; undefined: the keys are always up to date. */
  findKeys?: FindKeys | undefined;
  activeEvents: ActiveEvents;
  /** undefined if no rule is strict. */
  askLine: AskLine | undefined;
  /** Absent: nobody renews or ends sessions here. */
  sessions?: SessionKeeper | undefined;
  metrics: GateMetrics;
  /** Bypasses, blocks and bans; undefined: there are none. */
  access?: GateAccess | undefined;
  /** undefined: nobody notices that the line is away. */
  failOpen?: FailOpen | undefined;
  /** Counts the site's responses; undefined if nobody wants to know. */
  health?: HealthRecorder | undefined;
  now: () => number;
}

/** The head of the site's response to a request that passed. */
export interface SiteResponse {
  status: number;
  /** From forwarding the request to the head of the response. */
  durationMs: number;
  /** Whether the site ends the visitor's session with it. */
  endsSession: boolean;
}

export interface Guard {
  decide(request: GateRequest): Promise<Decision>;
  /**
   * Adapters that can say so tell when a passed request goes to the site, and when it is over: a request that waits too
   * long counts as slow before its response.
   */
  begin(pass: Pass): void;
  end(pass: Pass): void;
  /** Adapters that see the site's responses report each one. Never throws, and never waits. */
  observe(pass: Pass, response: SiteResponse): void;
}

export function createGuard(options: GuardOptions): Guard {
  const { book, keys, findKeys, activeEvents, askLine, sessions, metrics, access, failOpen, health, now } = options;
  const rules = {
    read: createReader(createMatcher(book)),
    otherwise: book.otherwise,
    isTier1On: (eventId: string) => activeEvents.has(eventId),
    get access() {
      return access?.judge();
    },
  };

  return {
    async decide(request) {
      const refreshing = activeEvents.refresh();
      if (refreshing !== undefined) await refreshing;
      const preparing = keys.prepare?.(request.headers);
      if (preparing !== undefined) await preparing;
      const seen = access === undefined ? request : access.see(request);
      const first = decide(seen, rules, keys, now());
      const settled = settle(first.outcome === 'pass' ? first : await decideAgain(first, seen), request);
      // Nearly every pass is settled at once.
      const decision = settled instanceof Promise ? await settled : settled;
      metrics.count(decision);
      if (decision.outcome === 'pass' && decision.bypass !== undefined) access?.note(decision.bypass, request);
      return decision;
    },
    begin(pass) {
      if (isOfSite(pass)) health?.begin(pass, pass.eventId, performance.now());
    },
    end: (pass) => health?.forget(pass),
    observe(pass, { status, durationMs, endsSession }) {
      if (sessions !== undefined && endsSession) endSession(pass, sessions);
      if (isOfSite(pass)) health?.observe(pass, pass.eventId, status, durationMs);
    },
  };

  /** Only who would be refused waits for keys. */
  async function decideAgain(refusal: Decision, request: GateRequest): Promise<Decision> {
    const finding = findKeys?.(request.headers);
    if (finding === undefined) return refusal;
    await finding;
    return decide(request, rules, keys, now());
  }

  function settle(decision: Decision, request: GateRequest): Decision | Promise<Decision> {
    if (decision.outcome !== 'pass') return review(decision, request);
    if (decision.session === undefined) return decision;
    const kept = sessions === undefined ? decision : keepSession(decision, request, { keeper: sessions, now });
    if (kept instanceof Promise) return kept.then((found) => checkStrict(found, request));
    return checkStrict(kept, request);
  }

  async function review(refusal: Refusal, request: GateRequest): Promise<Decision> {
    return (await failOpen?.review(refusal, request, keys, access?.judge())) ?? refusal;
  }

  function checkStrict(kept: Decision, request: GateRequest): Decision | Promise<Decision> {
    if (kept.outcome !== 'pass' || kept.strict === undefined || askLine === undefined) return kept;
    return askFirst(kept, kept.strict, askLine, request);
  }

  async function askFirst(
    pass: Pass,
    strict: NonNullable<Pass['strict']>,
    ask: AskLine,
    request: GateRequest,
  ): Promise<Decision> {
    const standing = await ask(strict.entry, request);
    // While the line is unreachable, admitted visitors pass: their token is genuine and expires.
    if (standing === 'unknown') metrics.countUnasked();
    return standing === 'ended' ? refuseEnded(strict, { request, target: pass.target }) : pass;
  }
}

/** Only a request without a requirement may be for the line. */
function isOfSite(pass: Pass): boolean {
  return pass.require !== 'none' || !isForLine(pass.target);
}
