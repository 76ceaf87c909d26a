/** What the line counts. Room names are the only label values that grow, and only operators make rooms. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { TickOutcome } from './store/admissions.ts';
import type { Room, Rooms } from './store/rooms.ts';
import type { JoinOutcome, LeaveOutcome } from './store/visits.ts';

export interface LineMetrics {
  countJoin(outcome: JoinOutcome['outcome'] | 'limited'): void;
  countPoll(): void;
  countEnter(outcome: 'granted' | 'not-ready' | 'gone'): void;
  countLeave(from: Extract<LeaveOutcome, { outcome: 'left' }>['from']): void;
  countMemberCheck(outcome: 'member' | 'other' | 'failed'): void;
  countTick(eventId: string, tick: Extract<TickOutcome, { outcome: 'ticked' }>, seconds: number): void;
}

export function createLineMetrics(registry: Registry, rooms: Pick<Rooms, 'listRooms'>): LineMetrics {
  const registers = [registry];
  // What a whole crowd does is counted in plain numbers, which cost nothing, and handed over when it is asked for.
  const joins = new Map<string, number>();
  let polls = 0;
  new Counter({
    name: 'fairline_joins_total',
    help: 'Requests to join, by outcome; already: asked again for the place they have; duplicate: sent twice',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of joins) this.inc({ outcome }, count);
    },
  });
  new Counter({
    name: 'fairline_polls_total',
    help: 'Status and heartbeat requests',
    registers,
    collect() {
      this.reset();
      this.inc(polls);
    },
  });
  const enters = new Counter({
    name: 'fairline_enters_total',
    help: 'Requests to enter, by outcome; gone: the place was no more',
    labelNames: ['outcome'],
    registers,
  });
  const leaves = new Counter({
    name: 'fairline_leaves_total',
    help: 'Visitors who left, by what they were',
    labelNames: ['from'],
    registers,
  });
  const memberChecks = new Counter({
    name: 'fairline_member_checks_total',
    help: 'Newcomers to rooms with a priority lane, by whether they are members; failed: not told in time',
    labelNames: ['outcome'],
    registers,
  });
  const admissions = new Counter({
    name: 'fairline_admissions_total',
    help: 'Visitors let in from the line',
    labelNames: ['event'],
    registers,
  });
  const losses = new Counter({
    name: 'fairline_places_ended_total',
    help: 'lapsed: waiters not seen; no_show: admitted who did not come; session_over: sessions that ran out',
    labelNames: ['event', 'reason'],
    registers,
  });
  const tickSeconds = new Histogram({
    name: 'fairline_tick_seconds',
    help: 'Time one admission tick took',
    buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1],
    registers,
  });
  registerCrowdGauges(registers, rooms);
  return {
    countJoin(outcome) {
      joins.set(outcome, (joins.get(outcome) ?? 0) + 1);
    },
    countPoll() {
      polls += 1;
    },
    countEnter: (outcome) => enters.inc({ outcome }),
    countLeave: (from) => leaves.inc({ from }),
    countMemberCheck: (outcome) => memberChecks.inc({ outcome }),
    countTick(event, { admitted, tally }, seconds) {
      admissions.inc({ event }, admitted.length);
      losses.inc({ event, reason: 'lapsed' }, tally.lapsed);
      losses.inc({ event, reason: 'no_show' }, tally.noShows);
      losses.inc({ event, reason: 'session_over' }, tally.ended);
      tickSeconds.observe(seconds);
    },
  };
}

/** Read when they are asked for, from the sets themselves; left out while the store cannot be asked. */
function registerCrowdGauges(registers: Registry[], rooms: Pick<Rooms, 'listRooms'>): void {
  const listRooms = shareWhilePending(() => rooms.listRooms().catch((): Room[] => []));
  new Gauge({
    name: 'fairline_visitors',
    help: 'Visitors now, by state',
    labelNames: ['event', 'state'],
    registers,
    async collect() {
      const rooms = await listRooms();
      this.reset();
      for (const { eventId, crowd } of rooms) {
        this.set({ event: eventId, state: 'waiting' }, crowd.waiting);
        this.set({ event: eventId, state: 'admitted' }, crowd.admitted);
        this.set({ event: eventId, state: 'active' }, crowd.active);
      }
    },
  });
  new Gauge({
    name: 'fairline_max_active',
    help: 'Admitted and active visitors at most',
    labelNames: ['event'],
    registers,
    async collect() {
      const rooms = await listRooms();
      this.reset();
      for (const { eventId, crowd } of rooms) this.set({ event: eventId }, crowd.settings.maxActive);
    },
  });
}

/** Both gauges are collected at once, and one reading of the store serves both. */
function shareWhilePending<T>(read: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | undefined;
  return () => {
    pending ??= read().finally(() => {
      pending = undefined;
    });
    return pending;
  };
}
