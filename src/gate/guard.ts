/** The running gate: decides, checks strict rules with the line, counts. Every adapter on Node wraps a guard. */

import type { GateAccess } from './access/gate-access.ts';
import { type Decision, decide, type Pass, refuseEnded } from './decision/decide.ts';
import type { GateRequest, Headers, VerificationKeys } from './decision/gate-request.ts';
import { createMatcher } from './decision/match-rule.ts';
import type { RuleBook } from './decision/rules.ts';
import type { GateMetrics } from './gate-metrics.ts';
import type { ActiveEvents } from './lookups/active-events.ts';
import type { AskLine } from './lookups/ask-line.ts';
import { isReleased } from './sessions/answer-headers.ts';
import { endSession, keepSession } from './sessions/keep-session.ts';
import type { SessionKeeper } from './sessions/session-keeper.ts';

export interface GuardOptions {
  book: RuleBook;
  keys: VerificationKeys;
  activeEvents: ActiveEvents;
  /** undefined if no rule is strict. */
  askLine: AskLine | undefined;
  /** Absent: nobody renews or ends sessions here. */
  sessions?: SessionKeeper | undefined;
  metrics: GateMetrics;
  /** Bypasses, blocks and bans; undefined: there are none. */
  access?: GateAccess | undefined;
  now: () => number;
}

/** The head of the site's response to a request that passed. */
export interface SiteResponse {
  status: number;
  /** From forwarding the request to the head of the response. */
  durationMs: number;
  headers: Headers;
}

export interface Guard {
  decide(request: GateRequest): Promise<Decision>;
  /** Adapters that see the site's responses report each one. Never throws, and never waits. */
  observe(pass: Pass, response: SiteResponse): void;
}

export function createGuard(options: GuardOptions): Guard {
  const { book, keys, activeEvents, askLine, sessions, metrics, access, now } = options;
  const rules = {
    match: createMatcher(book),
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
      const seen = access === undefined ? request : access.see(request);
      const decision = await settle(decide(seen, rules, keys, now()), request);
      metrics.count(decision);
      if (decision.outcome === 'pass' && decision.bypass !== undefined) access?.note(decision.bypass, request);
      return decision;
    },
    observe(pass, { headers }) {
      if (sessions !== undefined && isReleased(headers)) endSession(pass, sessions);
    },
  };

  async function settle(decision: Decision, request: GateRequest): Promise<Decision> {
    if (decision.outcome !== 'pass') return decision;
    const kept = sessions === undefined ? decision : await keepSession(decision, request, { keeper: sessions, now });
    if (kept.outcome !== 'pass' || kept.strict === undefined || askLine === undefined) return kept;
    const standing = await askLine(kept.strict.entry, request);
    // While the line is unreachable, admitted visitors pass: their token is genuine and expires.
    if (standing === 'unknown') metrics.countUnasked();
    return standing === 'ended' ? refuseEnded(kept.strict, { request, target: kept.target }) : kept;
  }
}
