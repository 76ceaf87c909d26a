/** A gate at work: decides, and asks the line where a rule is strict. Every adapter on Node is this and a wire format. */
import type { Entry } from '../line/tokens/entry-pass.ts';
import type { ActiveEvents } from './active-events.ts';
import { type Decision, decide, type GateRequest, type Keys, refuseEnded } from './decide.ts';
import type { GateMetrics } from './gate-metrics.ts';
import { createMatcher } from './match-rule.ts';
import type { RuleBook } from './rules.ts';

/**
 * Whether an admission still stands: `unknown` where the line cannot be asked. Asking is no sign of life and prolongs
 * nothing.
 */
export type AskLine = (entry: Entry, request: GateRequest) => Promise<'stands' | 'ended' | 'unknown'>;

export interface GuardOptions {
  book: RuleBook;
  keys: Keys;
  activeEvents: ActiveEvents;
  /** undefined where no rule is strict. */
  askLine: AskLine | undefined;
  metrics: GateMetrics;
  now: () => number;
}

export type Guard = (request: GateRequest) => Promise<Decision>;

export function createGuard({ book, keys, activeEvents, askLine, metrics, now }: GuardOptions): Guard {
  const rules = {
    match: createMatcher(book),
    otherwise: book.otherwise,
    isTier1On: (eventId: string) => activeEvents.has(eventId),
  };

  return async (request) => {
    const freshening = activeEvents.freshen();
    if (freshening !== undefined) await freshening;
    const decision = await settle(decide(request, rules, keys, now()), request);
    metrics.count(decision);
    return decision;
  };

  async function settle(decision: Decision, request: GateRequest): Promise<Decision> {
    if (decision.outcome !== 'pass' || decision.strict === undefined || askLine === undefined) return decision;
    const standing = await askLine(decision.strict.entry, request);
    // While the line cannot be asked, whoever is inside goes on: their token is genuine and ends by itself.
    if (standing === 'unknown') metrics.countUnasked();
    return standing === 'ended' ? refuseEnded(decision.strict) : decision;
  }
}
