/** The gate of an instance: asks its own stores, and knows its own secrets. */
import type { Registry } from 'prom-client';
import type { Config } from './config-shape.ts';
import type { Edge } from './edge-context.ts';
import { ActiveEvents } from './gate/active-events.ts';
import { askStore } from './gate/ask-line.ts';
import type { Keys } from './gate/decide.ts';
import { createGateMetrics } from './gate/gate-metrics.ts';
import { createGuard, type Guard } from './gate/guard.ts';
import { createKeys, type KeysOptions } from './gate/keys.ts';
import { loadRules } from './gate/rules-file.ts';
import type { LineStore } from './line/line-store.ts';
import { type Clock, stopwatch } from './platform/clock.ts';

export interface InstanceGate {
  guard: Guard;
  keys: Keys;
  activeEvents: ActiveEvents;
}

export interface InstanceGateOptions extends Pick<KeysOptions, 'entryTokens' | 'identity'> {
  config: Config;
  edge: Pick<Edge, 'store' | 'devices' | 'vwrTokens'>;
  store: LineStore;
  registry: Registry;
  clock: Clock;
}

export async function createInstanceGate(options: InstanceGateOptions): Promise<InstanceGate> {
  const { config, edge, store, registry, clock, entryTokens, identity } = options;
  const keys = createKeys({
    entryTokens,
    vwrTokens: edge.vwrTokens,
    identity,
    device: ({ cookie }) => edge.devices.find(String(cookie)),
    cdnSecret: config.gate.cdnSecret,
  });
  const activeEvents = new ActiveEvents({ list: () => edge.store.listActive(), now: () => stopwatch.now() });
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
