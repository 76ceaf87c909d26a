/** The gate of an instance: uses the stores and the secrets of the same process. */
import type { Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import { ActiveEvents } from '../gate/active-events.ts';
import { askStore } from '../gate/ask-line.ts';
import type { Keys } from '../gate/decide.ts';
import { createGateMetrics } from '../gate/gate-metrics.ts';
import { createGuard, type Guard } from '../gate/guard.ts';
import { loadRules } from '../gate/rules-file.ts';
import { createKeys, type KeysOptions } from '../gate/verification-keys.ts';
import type { LineStore } from '../line/store/line-store.ts';
import { type Clock, stopwatch } from '../platform/clock.ts';
import type { Tier1 } from './open-tier1.ts';

export interface InstanceGate {
  guard: Guard;
  keys: Keys;
  activeEvents: ActiveEvents;
}

export interface InstanceGateOptions extends Pick<KeysOptions, 'entryTokens' | 'identity'> {
  config: Config;
  tier1: Pick<Tier1, 'store' | 'devices' | 'vwrTokens'>;
  store: LineStore;
  registry: Registry;
  clock: Clock;
}

export async function createInstanceGate(options: InstanceGateOptions): Promise<InstanceGate> {
  const { config, tier1, store, registry, clock, entryTokens, identity } = options;
  const keys = createKeys({
    entryTokens,
    vwrTokens: tier1.vwrTokens,
    identity,
    device: ({ cookie }) => tier1.devices.find(String(cookie)),
    cdnSecret: config.gate.cdnSecret,
  });
  const activeEvents = new ActiveEvents({ list: () => tier1.store.listActive(), now: () => stopwatch.now() });
  const guard = createGuard({
    book: await loadRules(config.gate.rulesFile),
    keys,
    activeEvents,
    askLine: askStore(store),
    metrics: createGateMetrics(registry),
    now: () => clock.now(),
  });
  return { guard, keys, activeEvents };
}
