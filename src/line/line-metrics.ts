/** Metrics of the line. Event ids are the only unbounded label values: only operators create rooms, and rooms in use are reported. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { PlainCounter } from '../platform/plain-counter.ts';
import { EventCounter } from './event-counter.ts';
import type { Tally } from './model/line.ts';
import { effectiveRate } from './model/site-health.ts';
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
  const admissions = new EventCounter({
    name: 'fairline_admissions_total',
    help: 'Visitors admitted from the line',
    registers,
  });
  const losses = new EventCounter({
    name: 'fairline_places_ended_total',
    help: 'Places that ended; lapsed: waiting and not seen; no_show: admitted and did not come; session_over: expired',
    label: 'reason',
    registers,
  });
  const countAway = createAwayCounter(registers);
  const tickSeconds = new Histogram({
    name: 'fairline_tick_seconds',
    help: 'Duration of an admission tick',
    buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1],
    registers,
  });
  const lowered = new EventCounter({
    name: 'fairline_rate_decreases_total',
    help: 'How often the admission rate was halved because of the health of the site, by cause',
    label: 'cause',
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
    countTick(event, { admitted, tally, pulse }, seconds) {
      const { health } = pulse.crowd;
      if (health?.cause !== undefined && health.loweredAt === pulse.at) lowered.inc(event, 1, health.cause);
      admissions.inc(event, admitted.length);
      losses.inc(event, tally.lapsed, 'lapsed');
      losses.inc(event, tally.noShows, 'no_show');
      losses.inc(event, tally.ended, 'session_over');
      countAway(event, tally);
      tickSeconds.observe(seconds);
    },
  };
}

function createAwayCounter(registers: Registry[]): (event: string, tally: Tally) => void {
  const passedOver = new EventCounter({
    name: 'fairline_passed_over_total',
    help: 'Waiting visitors passed over at the head because they were not heard from',
    registers,
  });
  const returned = new EventCounter({
    name: 'fairline_returned_total',
    help: 'Visitors who were passed over and came back to their place',
    registers,
  });
  return (event, tally) => {
    passedOver.inc(event, tally.passedOver);
    returned.inc(event, tally.returned);
  };
}

/** Read from the store at every scrape; absent while the store is unavailable. */
function registerCrowdGauges(registers: Registry[], rooms: Pick<Rooms, 'listRooms'>): void {
  const listRooms = shareWhilePending(() => rooms.listRooms().catch((): Room[] => []));
  registerRateGauges(registers, listRooms);
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
    name: 'fairline_away',
    help: 'Waiting visitors who are passed over until they are heard from again; part of the waiting',
    labelNames: ['event'],
    registers,
    async collect() {
      const rooms = await listRooms();
      this.reset();
      for (const { eventId, crowd } of rooms) this.set({ event: eventId }, crowd.away);
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

/** The rate in force, and what it follows. */
function registerRateGauges(registers: Registry[], listRooms: () => Promise<Room[]>): void {
  const gauge = (name: string, help: string, readValue: (crowd: Room['crowd']) => number | undefined) =>
    new Gauge({
      ...{ name, help, labelNames: ['event'], registers },
      async collect() {
        const rooms = await listRooms();
        this.reset();
        for (const { eventId, crowd } of rooms) {
          const value = readValue(crowd);
          if (value !== undefined) this.set({ event: eventId }, value);
        }
      },
    });
  gauge('fairline_admit_per_second', 'Admission rate in force, in rooms with a rate', ({ settings, health }) =>
    effectiveRate(settings, health),
  );
  gauge(
    'fairline_site_error_share',
    'Share of errors of the site, as last reported',
    ({ health }) => health?.errorShare,
  );
  gauge('fairline_site_latency_seconds', 'Response time of the site (p95), as last reported', ({ health }) =>
    health === undefined ? undefined : health.p95Ms / 1000,
  );
}

/** The gauges are collected at once and share one read of the store. */
function shareWhilePending<T>(read: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | undefined;
  return () => {
    pending ??= read().finally(() => {
      pending = undefined;
    });
    return pending;
  };
}
