import { Counter, type Registry } from 'prom-client';

export interface IssuerMetrics {
  countRead: (outcome: 'read' | 'failed') => void;
}

export function createIssuerMetrics(registry: Registry): IssuerMetrics {
  const reads = new Counter({
    name: 'fairline_user_key_reads_total',
    help: 'Reads of the public keys of the identity provider, by outcome',
    labelNames: ['outcome'],
    registers: [registry],
  });
  return { countRead: (outcome) => reads.inc({ outcome }) };
}
