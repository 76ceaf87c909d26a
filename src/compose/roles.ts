/** The background work of this process: one row per loop, with the role it belongs to, in start order. */
import type { RoleName } from '../config/role-names.ts';
import { LOOK_EVERY_MS } from '../gate/lookups/line-watch.ts';
import { runAdmitterOnce } from '../line/roles/admitter.ts';
import { runSweeperOnce } from '../line/roles/sweeper.ts';
import { passMs } from '../live/hub/position-schedule.ts';
import { runBroadcastOnce } from '../live/roles/broadcast.ts';
import { runPresenceOnce } from '../live/roles/presence.ts';
import { SAMPLE_MS } from '../operations/sample-window.ts';
import { stopwatch } from '../platform/clock.ts';
import { type Loop, type LoopOptions, startLoop } from '../platform/concurrency/loop.ts';
import { createBackPressure } from '../tier1/back-pressure.ts';
import { runAdvancerOnce } from '../tier1/roles/advancer.ts';
import type { Context } from './context.ts';
import type { Records } from './open-records.ts';

/** A long line is swept in many steps. The pause between them lets join requests through. */
const SWEEP_PAUSE_MS = 10;

/** The advancer serves one second's share of the cycle per pass. */
const ADVANCE_MS = 1_000;

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

/** A seat that was taken must turn grey on other screens within a second. */
const SEAT_MAP_MS = 300;

/** How often join and admission counts are written to the records. */
const TRAFFIC_MS = 5_000;

interface LoopRow extends Omit<LoopOptions, 'log'> {
  /** The loop runs if the process has one of these roles; undefined: in every process. */
  roles: readonly RoleName[] | undefined;
}

/** Starts the background work of this process; returns how to stop it. */
export async function startRoles(context: Context): Promise<() => Promise<void>> {
  const { config, live, shop, log } = context;
  const hasOneOf = (roles: readonly RoleName[]) => roles.some((role) => config.roles.includes(role));
  // Streams must listen before the admitter starts, or they miss its first admissions.
  if (hasOneOf(['line'])) {
    await live.feed.start((eventId, visitors) => live.standings.noteAdmissions(eventId, visitors));
  }
  const loops: Loop[] = [
    ...streamLoops(context),
    ...lineLoops(context),
    ...gateLoops(context),
    ...deliveryLoops(context),
    ...shopLoops(context),
    ...accountLoops(context),
    ...operatorLoops(context),
    ...recordLoops(context),
  ]
    .filter(({ roles }) => roles === undefined || hasOneOf(roles))
    .map(({ roles: _roles, ...loop }) => startLoop({ ...loop, log }));
  if (shop !== undefined) loops.push(...startRecordGroups(context, shop.records));
  return async () => {
    await live.feed.stop();
    await Promise.all(loops.map((loop) => loop.stop()));
    // Last, so that the counts of the loops that just stopped are written too.
    await shop?.records.tellTraffic();
  };
}

function streamLoops({ config, line, live, roomHistory, log }: Context): LoopRow[] {
  const { hub, standings, metrics } = live;
  const tickMs = config.line.admissionIntervalMs;
  const intervalMs = passMs(tickMs);
  const broadcast = () =>
    runBroadcastOnce({ hub, admissions: line.admissions, metrics, log, clock: stopwatch, tickMs });
  const presence = () => runPresenceOnce({ hub, standings, clock: stopwatch });
  return [
    { roles: ['line'], name: 'broadcast', intervalMs, runOnce: broadcast },
    { roles: ['line'], name: 'presence', intervalMs, runOnce: presence },
    { roles: ['line'], name: 'recorder', intervalMs: SAMPLE_MS, runOnce: () => roomHistory.runOnce() },
  ];
}

function lineLoops({ config, line, tier1, lineMetrics, live }: Context): LoopRow[] {
  const { admissionIntervalMs, sweepIntervalMs } = config.line;
  const { pace, maxLine } = config.tier1;
  const admit = () => runAdmitterOnce({ ...line, metrics: lineMetrics, onAdmitted: live.onAdmitted });
  const countWaiting = async (eventId: string) => {
    const room = await line.rooms.findRoom(eventId);
    return room === undefined ? 0 : room.crowd.waiting - room.crowd.away;
  };
  const isLineTooLong = createBackPressure({ maxLine, countWaiting });
  const advance = () => runAdvancerOnce({ store: tier1.store, pace, switching: tier1.switching, isLineTooLong });
  return [
    { roles: ['admitter'], name: 'admitter', intervalMs: admissionIntervalMs, runOnce: admit },
    {
      roles: ['sweeper'],
      name: 'sweeper',
      intervalMs: sweepIntervalMs,
      againMs: SWEEP_PAUSE_MS,
      runOnce: () => runSweeperOnce(line.admissions),
    },
    { roles: ['advancer'], name: 'advancer', intervalMs: Math.min(ADVANCE_MS, pace.cycleMs), runOnce: advance },
  ];
}

/** Every process that decides as a gate must notice that the store is away. */
function gateLoops({ gate }: Context): LoopRow[] {
  const look = async () => {
    await gate.watch.look();
    return 'done' as const;
  };
  return [{ roles: ['line', 'shop'], name: 'gate watch', intervalMs: LOOK_EVERY_MS, runOnce: look }];
}

/** None with embedded stores: there is no other process to deliver admissions to. */
function deliveryLoops({ config, live: { delivery } }: Context): LoopRow[] {
  if (delivery === undefined) return [];
  const intervalMs = passMs(config.line.admissionIntervalMs) / 4;
  return [
    { roles: ['dispatcher'], name: 'dispatcher', intervalMs, runOnce: () => delivery.dispatch() },
    { roles: ['reaper'], name: 'reaper', intervalMs: REAP_MS, runOnce: () => delivery.reap() },
  ];
}

function shopLoops({ config, shop }: Context): LoopRow[] {
  if (config.shop === undefined || shop === undefined) return [];
  const { keeperIntervalMs: intervalMs } = config.shop;
  return [
    { roles: ['shop'], name: 'seat maps', intervalMs: SEAT_MAP_MS, runOnce: () => shop.maps.runOnce() },
    { roles: ['keeper'], name: 'stock', intervalMs: STOCK_MS, runOnce: () => shop.stock.runOnce() },
    { roles: ['keeper'], name: 'keeper', intervalMs, againMs: intervalMs / 10, runOnce: () => shop.keep() },
  ];
}

/** Every process that authenticates visitors must learn of sign-outs. */
function accountLoops({ accounts }: Context): LoopRow[] {
  if (accounts === undefined) return [];
  const runOnce = () => accounts.sessions.runOnce();
  return [{ roles: ['line', 'shop'], name: 'sessions', intervalMs: SESSIONS_MS, runOnce }];
}

/** Every process that serves operators keeps its part of the audit trail. */
function operatorLoops({ operatorServices, access }: Context): LoopRow[] {
  const roles = ['line', 'shop', 'stats'] as const;
  return [
    { roles: ['line'], name: 'access', intervalMs: ACCESS_MS, runOnce: () => access.runOnce() },
    { roles, name: 'audit', intervalMs: AUDIT_MS, runOnce: () => operatorServices.keepAudit() },
    { roles, name: 'audit head', intervalMs: AUDIT_HEAD_MS, runOnce: () => operatorServices.anchorAudit() },
  ];
}

function recordLoops({ config, shop }: Context): LoopRow[] {
  if (shop === undefined) return [];
  const { records } = shop;
  return [
    { roles: ['relay'], name: 'relay', intervalMs: config.records.pollMs, runOnce: () => records.relay() },
    { roles: undefined, name: 'traffic', intervalMs: TRAFFIC_MS, runOnce: () => records.tellTraffic() },
  ];
}

/** Consumer groups pace themselves: the record log calls them. */
function startRecordGroups({ config }: Context, records: Records): Loop[] {
  return (['chain', 'stats'] as const)
    .filter((role) => config.roles.includes(role))
    .map((role) => records.startGroup(role));
}
