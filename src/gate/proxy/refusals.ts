/** Counts what the gate refuses for other reasons than its rules, and logs each reason at most once per minute. */

import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { PlainCounter } from '../../platform/plain-counter.ts';
import type { Destination } from './destination.ts';

/** Reason and, for the operator, what to do about it. A value of the metric; must stay bounded. */
const reasons = {
  malformed: undefined,
  unknown_host: 'no site has the host of a request; see hosts in GATE_SITES_FILE',
  address_requests:
    'too many requests at once from one address; if it is your own proxy, add it to TRUST_PROXY, else see ' +
    'LIMIT_GATE_REQUESTS_PER_IP',
  address_connections:
    'too many connections from one address; if it is your own proxy, add it to TRUST_PROXY, else see ' +
    'LIMIT_GATE_CONNECTIONS_PER_IP',
  streams: 'no room for more event streams; waiting pages poll instead; see GATE_STREAMS',
  uploads: 'too many slow or large uploads at once',
  requests: 'too many requests wait for the upstream',
  slow_upload: undefined,
} as const;
export type RefusalReason = keyof typeof reasons;

export type CountRefusal = (reason: RefusalReason, detail?: object) => void;

const QUIET_MS = 60_000;

export function createRefusals(registry: Registry, log: Logger, now: () => number): CountRefusal {
  const counter = new PlainCounter<RefusalReason>({
    name: 'fairline_gate_refused_total',
    help: 'Requests and connections that fairline gate refused before or after its decision, by reason',
    label: 'reason',
    registers: [registry],
  });
  const loggedAt = new Map<RefusalReason, number>();
  return (reason, detail = {}) => {
    counter.inc(reason);
    const advice = reasons[reason];
    const last = loggedAt.get(reason);
    if (advice === undefined || (last !== undefined && now() - last < QUIET_MS)) return;
    loggedAt.set(reason, now());
    log.warn({ reason, ...detail }, `gate refuses: ${advice}`);
  };
}

/** Shows how much of the capacity is in use. */
export function measureDestinations(registry: Registry, destinations: Readonly<Record<string, Destination>>): void {
  new Gauge({
    name: 'fairline_gate_upstream_connections',
    help: 'What occupies the connections of fairline gate: request, upload or stream, by upstream',
    labelNames: ['upstream', 'occupation'],
    registers: [registry],
    collect() {
      for (const [upstream, { occupied }] of Object.entries(destinations)) {
        for (const [occupation, count] of Object.entries(occupied)) this.set({ upstream, occupation }, count);
      }
    },
  });
}
