/** The gate of an instance: uses the stores and the secrets of the same process. */
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import { findVariable } from '../config/read-config.ts';
import { createAccessAtDoors } from '../gate/access/access-at-doors.ts';
import type { AccessList } from '../gate/access/access-list.ts';
import { createGateAccess, type GateAccess } from '../gate/access/gate-access.ts';
import { defaultRules } from '../gate/decision/default-rules.ts';
import type { VerificationKeys } from '../gate/decision/gate-request.ts';
import type { AccessJudge } from '../gate/decision/judge-access.ts';
import { FailOpen, type OutageReport } from '../gate/fail-open/fail-open.ts';
import type { OpenPasses } from '../gate/fail-open/open-pass.ts';
import { createOpenPasses } from '../gate/fail-open/signed-passes.ts';
import { createGateMetrics, createSessionCounts } from '../gate/gate-metrics.ts';
import { createGuard, type Guard } from '../gate/guard.ts';
import { toGateRooms } from '../gate/http/gate-routes.ts';
import { loadRules } from '../gate/load-rules.ts';
import { ActiveEvents } from '../gate/lookups/active-events.ts';
import { askStore } from '../gate/lookups/ask-line.ts';
import { KnownGateRooms } from '../gate/lookups/known-gate-rooms.ts';
import { LineWatch } from '../gate/lookups/line-watch.ts';
import { createVerificationKeys, type VerificationKeysOptions } from '../gate/lookups/verification-keys.ts';
import { SessionDesk } from '../gate/sessions/session-desk.ts';
import { SessionKeeper } from '../gate/sessions/session-keeper.ts';
import type { DoorRule } from '../line/door-rule.ts';
import type { LineMetrics } from '../line/line-metrics.ts';
import type { Rooms } from '../line/store/rooms.ts';
import type { Visits } from '../line/store/visits.ts';
import type { EntryTokens } from '../line/tokens/entry-tokens.ts';
import { type Clock, stopwatch } from '../platform/clock.ts';
import { StoreUnavailableError } from '../platform/store-unavailable-error.ts';
import { createKeyRing, type KeyRing } from '../signing-keys/key-ring.ts';
import { announceOutages } from './gate-link.ts';
import type { Access } from './open-access.ts';
import type { Tier1 } from './open-tier1.ts';

export interface InstanceGate {
  guard: Guard;
  /** For the pages of our own shop: always by the default rules, because those are its paths. */
  shopGuard: Guard;
  keys: VerificationKeys;
  activeEvents: ActiveEvents;
  /** What the rooms want of gates. */
  rooms: KnownGateRooms;
  /** Watches whether the store can be asked. */
  watch: LineWatch;
  openPasses: OpenPasses;
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
  rooms: Pick<Rooms, 'findRoom' | 'listRooms' | 'countChanges'>;
  /** Why the line's store cannot serve right now; undefined when it can. */
  findFault: () => string | undefined;
  entrySecrets: KeyRing;
  onOutage: (report: OutageReport) => void;
  visits: Pick<Visits, 'find' | 'stay' | 'leave'>;
  lineMetrics: LineMetrics;
  access: Access;
  registry: Registry;
  clock: Clock;
  log: Logger;
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
  const rooms = new KnownGateRooms({ rooms: options.rooms, toGateRooms, clock: stopwatch });
  const { watch, failOpen, openPasses } = watchStore(options, rooms);
  const desk = new SessionDesk({ visits, entryTokens, metrics: options.lineMetrics });
  const sessions = new SessionKeeper({
    report: (report) => desk.report(report),
    now: () => clock.now(),
    // The store collects calls itself.
    everyMs: 0,
    counts: createSessionCounts(registry),
    readableCookie: config.accounts.entryCookieReadable,
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
    failOpen,
    now: () => clock.now(),
  };
  const guard = createGuard({ ...parts, book });
  const shopGuard = createGuard({ ...parts, book: defaultRules });
  const doorRule = createAccessAtDoors({ judge: () => requireList(access.list, gateAccess), keys, clock });
  return { guard, shopGuard, keys, activeEvents, rooms, watch, openPasses, desk, sessions, doorRule };
}

/** Nobody joins before the list was read: they might be banned. */
function requireList(list: AccessList, { judge }: GateAccess): AccessJudge {
  if (list.version === undefined) throw new StoreUnavailableError('the access list was not read yet');
  return judge();
}

/** Here the line cannot be asked while its store is away. */
function watchStore(
  { findFault, entrySecrets, onOutage, registry, clock, log }: InstanceGateOptions,
  rooms: KnownGateRooms,
) {
  const openPasses = createOpenPasses(createKeyRing('failOpenPass', entrySecrets), clock);
  const watch = new LineWatch({
    async fetchRooms() {
      const fault = findFault();
      if (fault !== undefined) throw new StoreUnavailableError(fault);
      return rooms.find();
    },
    now: () => stopwatch.now(),
    onLooked: () => failOpen.step(),
  });
  const failOpen = new FailOpen({
    ...{ watch, passes: openPasses, now: () => clock.now(), stopwatch: () => stopwatch.now() },
    ...announceOutages(log, registry, watch),
    onClosed(report) {
      log.warn(
        { ...report, event: report.eventId },
        `fail open ended: ${report.passed} visitors passed without waiting`,
      );
      onOutage(report);
    },
  });
  return { watch, failOpen, openPasses };
}
