/** What tier 1 counts. */
import { Counter, type Registry } from 'prom-client';

export interface Tier1Metrics {
  countAssignment(outcome: 'assigned' | 'again' | 'limited' | 'inactive'): void;
  countCheck(outcome: 'served' | 'waiting' | 'refused'): void;
}

export function createTier1Metrics(registry: Registry): Tier1Metrics {
  const registers = [registry];
  const assignments = new Counter({
    name: 'fairline_vwr_assignments_total',
    help: 'Requests for a number of tier 1, by outcome; again: answered from the place they brought',
    labelNames: ['outcome'],
    registers,
  });
  const checks = new Counter({
    name: 'fairline_vwr_checks_total',
    help: 'Checks of a place of tier 1, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  // Finding the counter of a label costs more than counting; there are few, so each is found once.
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
