/** Metrics of a gate. */
import { Counter, type Registry } from 'prom-client';
import type { Decision } from './decision/decide.ts';
import type { Bypass } from './decision/judge-access.ts';

export interface GateMetrics {
  count(decision: Decision): void;
  /** Counts a strict rule that was decided while the line was unreachable. */
  countUnasked(): void;
  countBypass(bypass: Pick<Bypass, 'kind' | 'eventId'>): void;
}

/** Event ids come from requests; later ones are counted together. */
const MOST_EVENTS = 200;

export function createGateMetrics(registry: Registry): GateMetrics {
  const decisions = new Counter({
    name: 'fairline_gate_decisions_total',
    help: 'Decisions of the gate, by outcome and reason',
    labelNames: ['outcome', 'code'],
    registers: [registry],
  });
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
      const code = decision.outcome === 'pass' ? decision.require : decision.code;
      decisions.inc({ outcome: decision.outcome, code });
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
