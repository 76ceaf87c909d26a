/** Metrics of a gate. */
import { Counter, type Registry } from 'prom-client';
import type { Decision } from './decision/decision.ts';
import type { Bypass } from './decision/judge-access.ts';
import type { SessionCounts } from './sessions/session-keeper.ts';

export interface GateMetrics {
  count(decision: Decision): void;
  /** Counts a strict rule that was decided while the line was unreachable. */
  countUnasked(): void;
  countBypass(bypass: Pick<Bypass, 'kind' | 'eventId'>): void;
}

/** Event ids come from requests; later ones are counted together. */
const MOST_EVENTS = 200;

export function createGateMetrics(registry: Registry): GateMetrics {
  const countDecision = createDecisionCounter(registry);
  const unasked = new Counter({
    name: 'fairline_gate_line_unreachable_total',
    help: 'Decisions of strict rules made without checking the line because it was unreachable',
    registers: [registry],
  });
  const bypassed = new Counter({
    name: 'fairline_gate_bypassed_total',
    help: 'Requests that passed without the required tokens, by the kind of their access entry and by event',
    labelNames: ['kind', 'event'],
    registers: [registry],
  });
  const events = new Set<string>();
  return {
    count(decision) {
      const code = decision.outcome === 'pass' ? (decision.kind ?? decision.require) : decision.code;
      countDecision(decision.outcome, code);
    },
    countUnasked() {
      unasked.inc();
    },
    countBypass({ kind, eventId = 'none' }) {
      if (events.size < MOST_EVENTS) events.add(eventId);
      bypassed.inc({ kind, event: events.has(eventId) ? eventId : 'other' });
    },
  };
}

/** Counts by itself and tells prom-client on a scrape: its counter looks up the labels by a text of them, for every request. */
function createDecisionCounter(registry: Registry): (outcome: Decision['outcome'], code: string) => void {
  type Counts = Map<string, number>;
  const counts: Record<Decision['outcome'], Counts> = { pass: new Map(), redirect: new Map(), deny: new Map() };
  new Counter({
    name: 'fairline_gate_decisions_total',
    help: 'Decisions of the gate, by outcome and reason',
    labelNames: ['outcome', 'code'],
    registers: [registry],
    collect() {
      for (const [outcome, codes] of Object.entries(counts)) {
        for (const [code, count] of codes) this.inc({ outcome, code }, count);
        codes.clear();
      }
    },
  });
  return (outcome, code) => {
    const codes = counts[outcome];
    codes.set(code, (codes.get(code) ?? 0) + 1);
  };
}

export function createSessionCounts(registry: Registry): SessionCounts {
  const registers = [registry];
  const signs = new Counter({
    name: 'fairline_gate_session_signs_total',
    help: 'Signs of life of visitors who passed the gate, by what became of them',
    labelNames: ['outcome'],
    registers,
  });
  const ended = new Counter({
    name: 'fairline_gate_sessions_ended_total',
    help: 'Sessions whose tokens the gate refuses from then on, by who ended them',
    labelNames: ['by'],
    registers,
  });
  return {
    sent: (count) => signs.inc({ outcome: 'sent' }, count),
    dropped: (count) => signs.inc({ outcome: 'dropped' }, count),
    ended: (by) => ended.inc({ by }),
  };
}
