/** Metrics of the line. Event ids are the only unbounded label values, and only operators create rooms. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { PlainCounter } from '../platform/plain-counter.ts';
import type { TickOutcome } from './store/admissions.ts';
import type { Room, Rooms } from './store/rooms.ts';
import type { JoinOutcome, LeaveOutcome } from './store/visits.ts';

export interface LineMetrics {
  readonly joins: PlainCounter<JoinOutcome['outcome'] | 'limited' | 'no-account' | 'excluded'>;
  countPoll(): void;
  countEnter(outcome: 'granted' | 'not-ready' | 'gone'): void;
  countLeave(from: Extract<LeaveOutcome, { outcome: 'left' }>['from']): void;
  countMemberCheck(outcome: 'member' | 'other' | 'failed'): void;
  countTick(eventId: string, tick: Extract<TickOutcome, { outcome: 'ticked' }>, seconds: number): void;
}

export function createLineMetrics(registry: Registry, rooms: Pick<Rooms, 'listRooms'>): LineMetrics {
  const registers = [registry];
  const joins: LineMetrics['joins'] = new PlainCounter({
    name: 'fairline_joins_total',
    help: 'Join requests, by outcome; already: the visitor has a place; duplicate: the request was repeated',
    label: 'outcome',
    registers,
  });
  // As frequent as joins: a plain number, copied to prom-client at every scrape.
  let polls = 0;
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
    help: 'Enter requests, by outcome; gone: the place has ended',
    labelNames: ['outcome'],
    registers,
  });
  const leaves = new Counter({
    name: 'fairline_leaves_total',
    help: 'Visitors who left, by their state',
    labelNames: ['from'],
    registers,
  });
  const memberChecks = new Counter({
    name: 'fairline_member_checks_total',
    help: 'Membership lookups of new visitors in rooms with a priority lane; failed: error or timeout',
    labelNames: ['outcome'],
    registers,
  });
  const admissions = new Counter({
    name: 'fairline_admissions_total',
    help: 'Visitors admitted from the line',
    labelNames: ['event'],
    registers,
  });
  const losses = new Counter({
    name: 'fairline_places_ended_total',
    help: 'Places that ended; lapsed: waiting and not seen; no_show: admitted and did not come; session_over: expired',
    labelNames: ['event', 'reason'],
    registers,
  });
  const tickSeconds = new Histogram({
    name: 'fairline_tick_seconds',
    help: 'Duration of an admission tick',
    buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1],
    registers,
  });
  registerCrowdGauges(registers, rooms);
  return {
    joins,
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

/** Read from the store at every scrape; absent while the store is unavailable. */
function registerCrowdGauges(registers: Registry[], rooms: Pick<Rooms, 'listRooms'>): void {
  const listRooms = shareWhilePending(() => rooms.listRooms().catch((): Room[] => []));
  new Gauge({
    name: 'fairline_visitors',
    help: 'Current visitors, by state',
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
    help: 'Maximum of admitted and active visitors',
    labelNames: ['event'],
    registers,
    async collect() {
      const rooms = await listRooms();
      this.reset();
      for (const { eventId, crowd } of rooms) this.set({ event: eventId }, crowd.settings.maxActive);
    },
  });
}

/** Both gauges are collected at once and share one read of the store. */
function shareWhilePending<T>(read: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | undefined;
  return () => {
    pending ??= read().finally(() => {
      pending = undefined;
    });
    return pending;
  };
}
