/** The gate of an instance: asks its own store, and knows its own secrets. */
import type { Registry } from 'prom-client';
import type { Config } from './config.ts';
import type { Devices } from './edge/devices.ts';
import { ActiveEvents } from './gate/active-events.ts';
import { askStore } from './gate/ask-line.ts';
import type { Keys } from './gate/decide.ts';
import { createGateMetrics } from './gate/gate-metrics.ts';
import { createGuard, type Guard } from './gate/guard.ts';
import { createKeys, type KeysOptions } from './gate/keys.ts';
import { loadRules } from './gate/rules-file.ts';
import type { LineStore } from './line/line-store.ts';
import type { Clock } from './platform/clock.ts';

export interface InstanceGate {
  guard: Guard;
  keys: Keys;
  activeEvents: ActiveEvents;
}

export interface InstanceGateOptions extends Pick<KeysOptions, 'entryTokens' | 'vwrTokens' | 'identity'> {
  config: Config;
  devices: Devices;
  store: LineStore;
  registry: Registry;
  clock: Clock;
}

export async function createInstanceGate(options: InstanceGateOptions): Promise<InstanceGate> {
  const { config, devices, store, registry, clock, entryTokens, vwrTokens, identity } = options;
  const keys = createKeys({
    entryTokens,
    vwrTokens,
    identity,
    device: ({ cookie }) => devices.find(String(cookie)),
    cdnSecret: config.gate.cdnSecret,
  });
  const activeEvents = new ActiveEvents(config.gate.vwrEvents);
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
