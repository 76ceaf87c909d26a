/** Metrics of tier 1. */
import { Counter, type Registry } from 'prom-client';

export interface Tier1Metrics {
  countAssignment(outcome: 'assigned' | 'again' | 'limited' | 'inactive'): void;
  countCheck(outcome: 'served' | 'waiting' | 'refused'): void;
}

export function createTier1Metrics(registry: Registry): Tier1Metrics {
  const registers = [registry];
  const assignments = new Counter({
    name: 'fairline_vwr_assignments_total',
    help: 'Requests for a number of tier 1, by outcome; again: the request carried a valid signed place',
    labelNames: ['outcome'],
    registers,
  });
  const checks = new Counter({
    name: 'fairline_vwr_checks_total',
    help: 'Checks of a signed place of tier 1, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  // Looking up a label costs more than counting, so the children are looked up once.
  const checksBy = {
    served: checks.labels('served'),
    waiting: checks.labels('waiting'),
    refused: checks.labels('refused'),
  };
  return {
    countAssignment: (outcome) => assignments.inc({ outcome }),
    countCheck: (outcome) => checksBy[outcome].inc(),
  };
}
