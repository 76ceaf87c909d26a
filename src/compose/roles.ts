/** What runs in the background, and in which order it starts and stops. */

import { runAdmitterOnce } from '../line/roles/admitter.ts';
import { runSweeperOnce } from '../line/roles/sweeper.ts';
import { runBroadcastOnce } from '../live/broadcast.ts';
import { passMs } from '../live/position-schedule.ts';
import { runPresenceOnce } from '../live/presence.ts';
import { SAMPLE_MS } from '../operations/series.ts';
import { stopwatch } from '../platform/clock.ts';
import { type Loop, startLoop } from '../platform/concurrency/loop.ts';
import { runAdvancerOnce } from '../tier1/roles/advancer.ts';
import type { Context } from './context.ts';
import type { Records } from './open-records.ts';

/** A long line is swept in many steps; those who join meanwhile are not to wait for them. */
const SWEEP_PAUSE_MS = 10;

/** Each second its share. */
const ADVANCE_EVERY_MS = 1_000;

const REAP_EVERY_MS = 5_000;

/** What lines go by is to be less than a second old. */
const STOCK_MS = 500;

/** How soon a session that was ended somewhere is ended everywhere. */
const SESSIONS_MS = 1_000;

/** A seat that is taken is to grey out on other screens within a second. */
const SEAT_MAP_MS = 300;

/** How often it is told how many came to a line and were let in. */
const TRAFFIC_MS = 5_000;

/** Starts the background roles of this process; returns how to stop them. */
export async function startRoles(context: Context): Promise<() => Promise<void>> {
  const { config, store, lineMetrics, live, log } = context;
  const loops: Loop[] = [];
  // Streams first: whoever the admitter lets in is to hear of it.
  if (config.roles.includes('line')) loops.push(...(await startStreams(context)));
  if (config.roles.includes('admitter')) {
    const runOnce = () => runAdmitterOnce({ store, metrics: lineMetrics, onAdmitted: live.onAdmitted });
    loops.push(startLoop({ name: 'admitter', intervalMs: config.line.admissionIntervalMs, runOnce, log }));
  }
  if (config.roles.includes('sweeper')) {
    const runOnce = () => runSweeperOnce(store);
    const intervalMs = config.line.sweepIntervalMs;
    loops.push(startLoop({ name: 'sweeper', intervalMs, againMs: SWEEP_PAUSE_MS, runOnce, log }));
  }
  if (config.roles.includes('advancer')) loops.push(startAdvancer(context));
  loops.push(...startDelivery(context), ...startShop(context), ...startAccounts(context), ...startRecords(context));
  return async () => {
    await live.feed.stop();
    await Promise.all(loops.map((loop) => loop.stop()));
  };
}

function startAdvancer({ config, store, tier1, log }: Context): Loop {
  const { pace, maxLine } = config.tier1;
  const isTooLong = async (eventId: string) => ((await store.findRoom(eventId))?.crowd.waiting ?? 0) > maxLine;
  const isHeldUp = maxLine === 0 ? undefined : isTooLong;
  const runOnce = () => runAdvancerOnce({ store: tier1.store, pace, switching: tier1.switching, isHeldUp });
  return startLoop({ name: 'advancer', intervalMs: Math.min(ADVANCE_EVERY_MS, pace.cycleMs), runOnce, log });
}

/** What keeps the open streams up to date, and the charts of operators. */
async function startStreams({ config, store, live, recorder, log }: Context): Promise<Loop[]> {
  const { hub, standings, feed, metrics } = live;
  const tickMs = config.line.admissionIntervalMs;
  const intervalMs = passMs(tickMs);
  const broadcast = () => runBroadcastOnce({ hub, store, metrics, log, clock: stopwatch, tickMs });
  const presence = () => runPresenceOnce({ hub, standings, clock: stopwatch });
  await feed.start((eventId, visitors) => standings.noteAdmissions(eventId, visitors));
  return [
    startLoop({ name: 'broadcast', intervalMs, runOnce: broadcast, log }),
    startLoop({ name: 'presence', intervalMs, runOnce: presence, log }),
    startLoop({ name: 'recorder', intervalMs: SAMPLE_MS, runOnce: () => recorder.runOnce(), log }),
  ];
}

/** What takes news of admissions to other processes; nothing where there are none. */
function startDelivery({ config, live, log }: Context): Loop[] {
  const { delivery } = live;
  if (delivery === undefined) return [];
  const loops: Loop[] = [];
  if (config.roles.includes('dispatcher')) {
    const intervalMs = passMs(config.line.admissionIntervalMs) / 4;
    loops.push(startLoop({ name: 'dispatcher', intervalMs, runOnce: () => delivery.dispatch(), log }));
  }
  if (config.roles.includes('reaper')) {
    loops.push(startLoop({ name: 'reaper', intervalMs: REAP_EVERY_MS, runOnce: () => delivery.reap(), log }));
  }
  return loops;
}

/** What keeps the seat maps that are watched up to date, and what tidies up after buyers. */
function startShop({ config, shop, log }: Context): Loop[] {
  if (config.shop === undefined || shop === undefined) return [];
  const loops: Loop[] = [];
  if (config.roles.includes('shop')) {
    loops.push(startLoop({ name: 'seat maps', intervalMs: SEAT_MAP_MS, runOnce: () => shop.maps.runOnce(), log }));
  }
  if (config.roles.includes('keeper')) {
    const { keeperIntervalMs: intervalMs } = config.shop;
    loops.push(startLoop({ name: 'stock', intervalMs: STOCK_MS, runOnce: () => shop.stock.runOnce(), log }));
    loops.push(startLoop({ name: 'keeper', intervalMs, againMs: intervalMs / 10, runOnce: () => shop.keep(), log }));
  }
  return loops;
}

/** What makes sign-outs known to every process that tells visitors apart. */
function startAccounts({ config, accounts, log }: Context): Loop[] {
  const knowsVisitors = config.roles.includes('line') || config.roles.includes('shop');
  if (accounts === undefined || !knowsVisitors) return [];
  return [startLoop({ name: 'sessions', intervalMs: SESSIONS_MS, runOnce: () => accounts.sessions.runOnce(), log })];
}

/** What carries records, and what reads them. */
function startRecords({ config, shop, log }: Context): Loop[] {
  if (shop === undefined) return [];
  const { records } = shop;
  const { pollMs } = config.records;
  const loops: Loop[] = [];
  if (config.roles.includes('relay')) {
    loops.push(startLoop({ name: 'relay', intervalMs: pollMs, runOnce: () => records.relay(), log }));
  }
  for (const role of ['chain', 'stats'] as const) {
    if (config.roles.includes(role)) loops.push(records.startGroup(role));
  }
  const traffic = startLoop({ name: 'traffic', intervalMs: TRAFFIC_MS, runOnce: () => records.tellTraffic(), log });
  return [...loops, { stop: () => stopTraffic(traffic, records) }];
}

/** What was counted last is told before the end. */
async function stopTraffic(loop: Loop, records: Records): Promise<void> {
  await loop.stop();
  await records.tellTraffic();
}
