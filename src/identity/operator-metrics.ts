/** Metrics of operator authentication. */
import { Counter, type Registry } from 'prom-client';

export type RefusalReason = 'token' | 'sign_in' | 'code' | 'role';

export interface OperatorMetrics {
  refuse(reason: RefusalReason): void;
}

export function createOperatorMetrics(registry: Registry): OperatorMetrics {
  const refusals = new Counter({
    name: 'fairline_operator_refusals_total',
    help: 'Refused attempts to act as an operator, by what was wrong',
    labelNames: ['reason'],
    registers: [registry],
  });
  // From the start, so that the first refusals are an increase.
  for (const reason of ['token', 'sign_in', 'code', 'role'] as const) refusals.inc({ reason }, 0);
  return { refuse: (reason) => refusals.inc({ reason }) };
}
