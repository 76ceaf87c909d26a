/** What a gate decided. */
import { Counter, type Registry } from 'prom-client';
import type { Decision } from './decision/decide.ts';

export interface GateMetrics {
  count(decision: Decision): void;
  /** A strict rule that had to do without the line. */
  countUnasked(): void;
}

export function createGateMetrics(registry: Registry): GateMetrics {
  const decisions = new Counter({
    name: 'fairline_gate_decisions_total',
    help: 'Decisions of the gate, by outcome and reason',
    labelNames: ['outcome', 'code'],
    registers: [registry],
  });
  const unasked = new Counter({
    name: 'fairline_gate_line_unreachable_total',
    help: 'Decisions of strict rules that were made without the line, because it could not be asked',
    registers: [registry],
  });
  return {
    count(decision) {
      const code = decision.outcome === 'pass' ? decision.require : decision.code;
      decisions.inc({ outcome: decision.outcome, code });
    },
    countUnasked() {
      unasked.inc();
    },
  };
}
