/** Metrics of tier 1. */
import type { Registry } from 'prom-client';
import { PlainCounter } from '../platform/plain-counter.ts';

type Assignment = 'assigned' | 'again' | 'limited' | 'inactive';
type Check = 'served' | 'waiting' | 'refused';

export interface Tier1Metrics {
  countAssignment(outcome: Assignment): void;
  countCheck(outcome: Check): void;
}

export function createTier1Metrics(registry: Registry): Tier1Metrics {
  const registers = [registry];
  const assignments = new PlainCounter<Assignment>({
    name: 'fairline_vwr_assignments_total',
    help: 'Requests for a number of tier 1, by outcome; again: the request carried a valid signed place',
    label: 'outcome',
    registers,
  });
  const checks = new PlainCounter<Check>({
    name: 'fairline_vwr_checks_total',
    help: 'Checks of a signed place of tier 1, by outcome',
    label: 'outcome',
    registers,
  });
  return {
    countAssignment: (outcome) => assignments.inc(outcome),
    countCheck: (outcome) => checks.inc(outcome),
  };
}
