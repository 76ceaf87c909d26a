/** The background work of this process: one row per loop, with the role it belongs to, in start order. */
import type { RoleName } from '../config/role-names.ts';
import { LOOK_EVERY_MS } from '../gate/lookups/line-watch.ts';
import type { AuditEntry } from '../identity/audit-entries.ts';
import { runAdmitterOnce } from '../line/roles/admitter.ts';
import { type Applied, runSchedulerOnce } from '../line/roles/scheduler.ts';
import { createSweeper } from '../line/roles/sweeper.ts';
import { passMs } from '../live/hub/position-schedule.ts';
import { runBroadcastOnce } from '../live/roles/broadcast.ts';
import { runPresenceOnce } from '../live/roles/presence.ts';
import type { StoreName } from '../operations/readiness.ts';
import { SAMPLE_MS } from '../operations/sample-window.ts';
import { stopwatch } from '../platform/clock.ts';
import { type Loop, type LoopOptions, startLoop } from '../platform/concurrency/loop.ts';
import type { LazyDatabase } from '../platform/database/lazy-database.ts';
import { createBackPressure } from '../tier1/back-pressure.ts';
import { runAdvancerOnce } from '../tier1/roles/advancer.ts';
import type { Context, Live } from './context.ts';
import { createDatabaseWatch, watchTier1 } from './store-watches.ts';

/** A long line is swept in many steps. The pause between them lets join requests through. */
const SWEEP_PAUSE_MS = 10;

/** The advancer serves one second's share of the cycle per pass. */
const ADVANCE_MS = 1_000;

/** Scheduled changes apply within two seconds of their time. */
const SCHEDULE_MS = 500;

const REAP_MS = 5_000;

/** Lines must see the remaining stock with less than a second of delay. */
const STOCK_MS = 500;

/** How soon a session that ended in one process ends in all of them. */
const SESSIONS_MS = 1_000;

/** How often entries that wait for the audit trail are written. */
const AUDIT_MS = 5_000;
const AUDIT_HEAD_MS = 3_600_000;

/** How soon a ban or a bypass of one process counts in all of them. */
const ACCESS_MS = 500;

/** How often stores are checked that were away. */
const WATCH_MS = 1_000;

/** A seat that was taken must turn grey on other screens within a second. */
const SEAT_MAP_MS = 300;

/** How often join and admission counts are written to the records. */
const TRAFFIC_MS = 5_000;

interface LoopRow extends Omit<LoopOptions, 'log' | 'wake'> {
  /** The stores that must be there before the first pass; undefined: none. */
  needs?: readonly StoreName[];
  /** The loop runs if the process has one of these roles; undefined: in every process. */
  roles: readonly RoleName[] | undefined;
  /** Where the loop looks for work. While nobody has needed the embedded one yet there is none; then it wakes the loop. */
  looksIn?: LazyDatabase;
}

/** Starts the background work of this process, each loop once its stores are there; returns how to stop it. */
export function startRoles(context: Context): () => Promise<void> {
  const { config, beginning, live, shop, log } = context;
  const hasOneOf = (roles: readonly RoleName[]) => roles.some((role) => config.roles.includes(role));
  const startWhen = (needs: readonly StoreName[], start: () => Loop, looksIn?: LazyDatabase) =>
    startAfter(Promise.all([beginning.whenDone(needs), looksIn?.whenOpened()]), start);
  // Streams must listen before the admitter starts, or they miss its first admissions.
  const feed = hasOneOf(['line']) ? [startWhen(['line'], () => startFeed(live))] : [];
  const loops: Loop[] = [
    ...streamLoops(context),
    ...lineLoops(context),
    ...gateLoops(context),
    ...watchLoops(context),
    ...deliveryLoops(context),
    ...shopLoops(context),
    ...accountLoops(context),
    ...operatorLoops(context),
    ...recordLoops(context),
  ]
    .filter(({ roles }) => roles === undefined || hasOneOf(roles))
    .map(({ roles: _roles, needs = [], looksIn, ...loop }) =>
      startWhen(needs, () => startLoop({ ...loop, wake: looksIn?.activity, log }), looksIn),
    );
  for (const group of recordGroups(context)) loops.push(startWhen(['database', 'records'], group, shop?.database));
  return async () => {
    await Promise.all(feed.map((reading) => reading.stop()));
    await Promise.all(loops.map((loop) => loop.stop()));
    // Last, so that the counts of the loops that just stopped are written too.
    await shop?.records.tellTraffic().catch((error) => {
      log.warn({ err: error }, 'the last counts of joins and admissions are lost: the database is away');
    });
  };
}

/** A loop that starts later, unless it is stopped before. */
function startAfter(begun: Promise<unknown>, start: () => Loop): Loop {
  let isStopped = false;
  let loop: Loop | undefined;
  void begun.then(() => {
    if (!isStopped) loop = start();
  });
  return {
    async stop() {
      isStopped = true;
      await loop?.stop();
    },
  };
}

function startFeed({ feed, standings }: Live): Loop {
  void feed.start((eventId, visitors) => standings.noteAdmissions(eventId, visitors));
  return feed;
}

function streamLoops({ config, line, live, roomHistory, log }: Context): LoopRow[] {
  const { hub, standings, metrics } = live;
  const tickMs = config.line.admissionIntervalMs;
  const intervalMs = passMs(tickMs);
  const broadcast = () =>
    runBroadcastOnce({ hub, admissions: line.admissions, metrics, log, clock: stopwatch, tickMs });
  const presence = () => runPresenceOnce({ hub, standings, clock: stopwatch });
  return [
    { roles: ['line'], needs: ['line'], name: 'broadcast', intervalMs, runOnce: broadcast },
    { roles: ['line'], needs: ['line'], name: 'presence', intervalMs, runOnce: presence },
    { roles: ['line'], needs: ['line'], name: 'recorder', intervalMs: SAMPLE_MS, runOnce: () => roomHistory.runOnce() },
  ];
}

function lineLoops({ config, line, tier1, lineMetrics, live, operators }: Context): LoopRow[] {
  const { admissionIntervalMs, sweepIntervalMs } = config.line;
  const { pace, maxLine } = config.tier1;
  const admit = () => runAdmitterOnce({ ...line, metrics: lineMetrics, onAdmitted: live.onAdmitted });
  const countWaiting = async (eventId: string) => {
    const room = await line.rooms.findRoom(eventId);
    return room === undefined ? 0 : room.crowd.waiting - room.crowd.away;
  };
  const isLineTooLong = createBackPressure({ maxLine, countWaiting });
  const advance = () => runAdvancerOnce({ store: tier1.store, pace, switching: tier1.switching, isLineTooLong });
  const onApplied = (eventId: string, applied: Applied) => operators.trail.write(toScheduleEntry(eventId, applied));
  const applyScheduled = () => runSchedulerOnce({ schedules: line.schedules, onApplied });
  return [
    { roles: ['admitter'], needs: ['line'], name: 'scheduler', intervalMs: SCHEDULE_MS, runOnce: applyScheduled },
    { roles: ['admitter'], needs: ['line'], name: 'admitter', intervalMs: admissionIntervalMs, runOnce: admit },
    {
      roles: ['sweeper'],
      needs: ['line'],
      name: 'sweeper',
      intervalMs: sweepIntervalMs,
      againMs: SWEEP_PAUSE_MS,
      runOnce: createSweeper(line.admissions),
    },
    {
      roles: ['advancer'],
      needs: ['line', 'tier1'],
      name: 'advancer',
      intervalMs: Math.min(ADVANCE_MS, pace.cycleMs),
      runOnce: advance,
    },
  ];
}

function toScheduleEntry(eventId: string, applied: Applied): AuditEntry {
  const { id, at, change, by } = applied.scheduled;
  const outcome = applied.outcome === 'applied' ? { before: applied.before } : { problems: applied.problems };
  return {
    action: applied.outcome === 'applied' ? 'apply scheduled change' : 'refuse scheduled change',
    ...{ eventId, by: 'system', from: '', traceId: '' },
    details: { id, at: new Date(at).toISOString(), change, by, ...outcome },
  };
}

/** Every process that decides as a gate must notice that the store is away. */
function gateLoops({ gate }: Context): LoopRow[] {
  const look = async () => {
    await gate.watch.look();
    return 'done' as const;
  };
  return [{ roles: ['line', 'shop'], name: 'gate watch', intervalMs: LOOK_EVERY_MS, runOnce: look }];
}

/**
 * Stores that no other loop asks, or that are to be checked again when they were away. Redis says by itself that it is back.
 */
function watchLoops({ config, tier1: { store }, shop, log }: Context): LoopRow[] {
  const rows: LoopRow[] = [];
  if (config.tier1.dynamodb !== undefined) {
    const runOnce = () => watchTier1(store);
    rows.push({ roles: ['line', 'advancer'], needs: ['tier1'], name: 'DynamoDB watch', intervalMs: WATCH_MS, runOnce });
  }
  if (shop !== undefined) {
    const runOnce = createDatabaseWatch(shop.database, log);
    const roles = ['line', 'shop', 'keeper', 'relay', 'chain', 'stats'] as const;
    rows.push({ roles, needs: ['database'], name: 'database watch', intervalMs: WATCH_MS, runOnce });
  }
  return rows;
}

/** None with embedded stores: there is no other process to deliver admissions to. */
function deliveryLoops({ config, live: { delivery } }: Context): LoopRow[] {
  if (delivery === undefined) return [];
  const intervalMs = passMs(config.line.admissionIntervalMs) / 4;
  return [
    { roles: ['dispatcher'], needs: ['line'], name: 'dispatcher', intervalMs, runOnce: () => delivery.dispatch() },
    { roles: ['reaper'], needs: ['line'], name: 'reaper', intervalMs: REAP_MS, runOnce: () => delivery.reap() },
  ];
}

function shopLoops({ config, shop }: Context): LoopRow[] {
  if (config.shop === undefined || shop === undefined) return [];
  const { keeperIntervalMs: intervalMs } = config.shop;
  const needs = ['database'] as const;
  return [
    { roles: ['shop'], needs, name: 'seat maps', intervalMs: SEAT_MAP_MS, runOnce: () => shop.maps.runOnce() },
    {
      roles: ['keeper'],
      needs: ['database', 'line'],
      name: 'stock',
      intervalMs: STOCK_MS,
      runOnce: () => shop.stock.runOnce(),
    },
    {
      ...{ roles: ['keeper'], needs, looksIn: shop.database, name: 'keeper', intervalMs, againMs: intervalMs / 10 },
      runOnce: () => shop.keep(),
    },
  ];
}

/** Every process that authenticates visitors must learn of sign-outs. */
function accountLoops({ accounts, shop }: Context): LoopRow[] {
  if (accounts === undefined || shop === undefined) return [];
  const loop = { name: 'sessions', intervalMs: SESSIONS_MS, runOnce: () => accounts.sessions.runOnce() };
  return [{ roles: ['line', 'shop'], needs: ['database'], looksIn: shop.database, ...loop }];
}

/** Every process that serves operators keeps its part of the audit trail. */
function operatorLoops({ operatorServices, access, shop }: Context): LoopRow[] {
  const roles = ['line', 'shop', 'stats'] as const;
  const needs = ['database'] as const;
  return [
    { roles: ['line'], needs: ['line'], name: 'access', intervalMs: ACCESS_MS, runOnce: () => access.runOnce() },
    { roles, needs, name: 'audit', intervalMs: AUDIT_MS, runOnce: () => operatorServices.keepAudit() },
    {
      ...{ roles, needs, ...(shop && { looksIn: shop.database }), name: 'audit head', intervalMs: AUDIT_HEAD_MS },
      runOnce: () => operatorServices.anchorAudit(),
    },
  ];
}

function recordLoops({ config, shop }: Context): LoopRow[] {
  if (shop === undefined) return [];
  const { records } = shop;
  return [
    {
      roles: ['relay'],
      needs: ['database', 'records'],
      looksIn: shop.database,
      name: 'relay',
      intervalMs: config.records.pollMs,
      runOnce: () => records.relay(),
    },
    {
      roles: undefined,
      needs: ['database'],
      name: 'traffic',
      intervalMs: TRAFFIC_MS,
      runOnce: () => records.tellTraffic(),
    },
  ];
}

/** Consumer groups pace themselves: the record log calls them. */
function recordGroups({ config, shop }: Context): (() => Loop)[] {
  if (shop === undefined) return [];
  return (['chain', 'stats'] as const)
    .filter((role) => config.roles.includes(role))
    .map((role) => () => shop.records.startGroup(role));
}
