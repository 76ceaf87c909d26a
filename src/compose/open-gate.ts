/** The gate of an instance: uses the stores and the secrets of the same process. */
import type { Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import { defaultRules } from '../gate/decision/default-rules.ts';
import type { VerificationKeys } from '../gate/decision/gate-request.ts';
import { createGateMetrics } from '../gate/gate-metrics.ts';
import { createGuard, type Guard } from '../gate/guard.ts';
import { loadRules } from '../gate/load-rules.ts';
import { ActiveEvents } from '../gate/lookups/active-events.ts';
import { askStore } from '../gate/lookups/ask-line.ts';
import { createVerificationKeys, type VerificationKeysOptions } from '../gate/lookups/verification-keys.ts';
import type { Visits } from '../line/store/visits.ts';
import { type Clock, stopwatch } from '../platform/clock.ts';
import type { Tier1 } from './open-tier1.ts';

export interface InstanceGate {
  guard: Guard;
  /** For the pages of our own shop: always by the default rules, because those are its paths. */
  shopGuard: Guard;
  keys: VerificationKeys;
  activeEvents: ActiveEvents;
}

export interface InstanceGateOptions extends Pick<VerificationKeysOptions, 'entryTokens' | 'identity'> {
  config: Config;
  tier1: Pick<Tier1, 'store' | 'devices' | 'vwrTokens'>;
  visits: Pick<Visits, 'find'>;
  registry: Registry;
  clock: Clock;
}

export async function createInstanceGate(options: InstanceGateOptions): Promise<InstanceGate> {
  const { config, tier1, visits, registry, clock, entryTokens, identity } = options;
  const keys = createVerificationKeys({
    entryTokens,
    vwrTokens: tier1.vwrTokens,
    identity,
    device: ({ cookie }) => tier1.devices.find(String(cookie)),
    cdnSecret: config.gate.cdnSecret,
  });
  const activeEvents = new ActiveEvents({ list: () => tier1.store.listActive(), now: () => stopwatch.now() });
  const parts = {
    keys,
    activeEvents,
    askLine: askStore(visits),
    metrics: createGateMetrics(registry),
    now: () => clock.now(),
  };
  const guard = createGuard({ ...parts, book: await loadRules(config.gate.rulesFile) });
  return { guard, shopGuard: createGuard({ ...parts, book: defaultRules }), keys, activeEvents };
}
