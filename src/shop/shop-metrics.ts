/** Metrics of the shop. */
import { Counter, type Registry } from 'prom-client';
import type { HoldOutcome } from './hold-store.ts';

export interface ShopMetrics {
  countHold(outcome: HoldOutcome['outcome']): void;
}

export function createShopMetrics(registry: Registry): ShopMetrics {
  const holds = new Counter({
    name: 'fairline_holds_total',
    help: 'Requests to hold seats or tickets, by outcome',
    labelNames: ['outcome'],
    registers: [registry],
  });
  return { countHold: (outcome) => holds.inc({ outcome }) };
}
