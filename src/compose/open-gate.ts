/** The gate of an instance: uses the stores and the secrets of the same process. */
import type { Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import { findVariable } from '../config/read-config.ts';
import { createAccessAtDoors } from '../gate/access/access-at-doors.ts';
import { createGateAccess } from '../gate/access/gate-access.ts';
import { defaultRules } from '../gate/decision/default-rules.ts';
import type { VerificationKeys } from '../gate/decision/gate-request.ts';
import { createGateMetrics, createSessionCounts } from '../gate/gate-metrics.ts';
import { createGuard, type Guard } from '../gate/guard.ts';
import { loadRules } from '../gate/load-rules.ts';
import { ActiveEvents } from '../gate/lookups/active-events.ts';
import { askStore } from '../gate/lookups/ask-line.ts';
import { createVerificationKeys, type VerificationKeysOptions } from '../gate/lookups/verification-keys.ts';
import { SessionDesk } from '../gate/sessions/session-desk.ts';
import { SessionKeeper } from '../gate/sessions/session-keeper.ts';
import type { DoorRule } from '../line/door-rule.ts';
import type { LineMetrics } from '../line/line-metrics.ts';
import type { Visits } from '../line/store/visits.ts';
import type { EntryTokens } from '../line/tokens/entry-tokens.ts';
import { type Clock, stopwatch } from '../platform/clock.ts';
import type { Access } from './open-access.ts';
import type { Tier1 } from './open-tier1.ts';

export interface InstanceGate {
  guard: Guard;
  /** For the pages of our own shop: always by the default rules, because those are its paths. */
  shopGuard: Guard;
  keys: VerificationKeys;
  activeEvents: ActiveEvents;
  /** Ends and renews sessions, here and for gates in other processes. */
  desk: SessionDesk;
  sessions: SessionKeeper;
  /** Bans and other exclusions, for the doors. */
  doorRule: DoorRule;
}

export interface InstanceGateOptions extends Pick<VerificationKeysOptions, 'identity'> {
  entryTokens: EntryTokens;
  config: Config;
  tier1: Pick<Tier1, 'store' | 'devices' | 'vwrTokens'>;
  visits: Pick<Visits, 'find' | 'stay' | 'leave'>;
  lineMetrics: LineMetrics;
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
  const desk = new SessionDesk({ visits, entryTokens, metrics: options.lineMetrics });
  const sessions = new SessionKeeper({
    report: (report) => desk.report(report),
    now: () => clock.now(),
    // The store collects calls itself.
    everyMs: 0,
    counts: createSessionCounts(registry),
  });
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
  const parts = {
    keys,
    activeEvents,
    askLine: askStore(visits),
    sessions,
    metrics,
    access: gateAccess,
    now: () => clock.now(),
  };
  const guard = createGuard({ ...parts, book });
  const shopGuard = createGuard({ ...parts, book: defaultRules });
  const doorRule = createAccessAtDoors({ judge: gateAccess.judge, keys, clock });
  return { guard, shopGuard, keys, activeEvents, desk, sessions, doorRule };
}
