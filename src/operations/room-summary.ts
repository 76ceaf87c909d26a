/** The summary of a room on the overview. */

import type { Room } from '../line/store/rooms.ts';
import { type Counters, countWaiting } from '../tier1/model/counters.ts';
import { findAlarms, NO_SHOWS_MS, STALLED_AFTER_MS } from './alarms.ts';
import { toHealthSummary } from './health-summary.ts';
import { toShownWait } from './room-sample.ts';
import type { Flow } from './sample-window.ts';

export interface SummaryFacts {
  room: Room;
  /** undefined if tier 1 was never on. */
  counters: Counters | undefined;
  flow: (ms: number) => Flow;
  /** How many waited in the last minutes. */
  trend: readonly number[];
  now: number;
  tickMs: number;
}

/** The window of the current rate: several ticks, so the figure does not flicker. */
const RATE_MS = 10_000;

export function toRoomSummary({ room, counters, flow, trend, now, tickMs }: SummaryFacts) {
  const { eventId, crowd, overrides } = room;
  const { phase, settings, waiting, away, admitted, active } = crowd;
  const { admitted: recentlyAdmitted, seconds } = flow(RATE_MS);
  return {
    eventId,
    phase,
    waiting,
    away,
    admitted,
    active,
    limit: settings.maxActive,
    admittedPerSecond: seconds === 0 ? null : Math.round((recentlyAdmitted / seconds) * 100) / 100,
    wait: toShownWait(crowd, tickMs),
    trend: [...trend],
    order: settings.order,
    draw: crowd.draw ?? null,
    settings,
    overrides,
    tier1: toTier1Summary(counters),
    health: toHealthSummary(crowd, now),
    alarms: findAlarms({ at: now, crowd, lately: flow(STALLED_AFTER_MS), minutes: flow(NO_SHOWS_MS) }),
  };
}

function toTier1Summary(counters: Counters | undefined) {
  if (counters === undefined || counters.state === 'inactive') return null;
  const { state, nextPosition, servingCounter } = counters;
  return { state, nextPosition, servingCounter, waitingCount: countWaiting(counters) };
}
