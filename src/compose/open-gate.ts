/** The gate of an instance: uses the stores and the secrets of the same process. */
import type { Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import { findVariable } from '../config/read-config.ts';
import { createAccessAtDoors } from '../gate/access/access-at-doors.ts';
import { createGateAccess } from '../gate/access/gate-access.ts';
import type { VerificationKeys } from '../gate/decision/gate-request.ts';
import { createGateMetrics } from '../gate/gate-metrics.ts';
import { createGuard, type Guard } from '../gate/guard.ts';
import { loadRules } from '../gate/load-rules.ts';
import { ActiveEvents } from '../gate/lookups/active-events.ts';
import { askStore } from '../gate/lookups/ask-line.ts';
import { createVerificationKeys, type VerificationKeysOptions } from '../gate/lookups/verification-keys.ts';
import type { DoorRule } from '../line/door-rule.ts';
import type { Visits } from '../line/store/visits.ts';
import { type Clock, stopwatch } from '../platform/clock.ts';
import type { Access } from './open-access.ts';
import type { Tier1 } from './open-tier1.ts';

export interface InstanceGate {
  guard: Guard;
  keys: VerificationKeys;
  activeEvents: ActiveEvents;
  /** Bans and other exclusions, for the doors. */
  doorRule: DoorRule;
}

export interface InstanceGateOptions extends Pick<VerificationKeysOptions, 'entryTokens' | 'identity'> {
  config: Config;
  tier1: Pick<Tier1, 'store' | 'devices' | 'vwrTokens'>;
  visits: Pick<Visits, 'find'>;
  access: Access;
  registry: Registry;
  clock: Clock;
}

export async function createInstanceGate(options: InstanceGateOptions): Promise<InstanceGate> {
  const { config, tier1, visits, access, registry, clock, entryTokens, identity } = options;
  const keys = createVerificationKeys({
    entryTokens,
    vwrTokens: tier1.vwrTokens,
    identity,
    device: ({ cookie }) => tier1.devices.find(String(cookie)),
    cdnSecret: config.gate.cdnSecret,
    staffPasses: access.passes,
  });
  const activeEvents = new ActiveEvents({ list: () => tier1.store.listActive(), now: () => stopwatch.now() });
  const book = await loadRules(config.gate.rulesFile, findVariable);
  const metrics = createGateMetrics(registry);
  const gateAccess = createGateAccess({
    list: access.list,
    fixed: book.access,
    crawlers: access.crawlers,
    onBypass(note) {
      metrics.countBypass(note);
      access.bypasses.note(note);
    },
  });
  const guard = createGuard({
    book,
    keys,
    activeEvents,
    askLine: askStore(visits),
    metrics,
    access: gateAccess,
    now: () => clock.now(),
  });
  return { guard, keys, activeEvents, doorRule: createAccessAtDoors({ judge: gateAccess.judge, keys, clock }) };
}
