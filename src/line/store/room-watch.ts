/**
 * What this process knows about one room: the pulse of the last tick, read again all the time while visitors poll, and
 * the waiting visitors that the store has told it of.
 *
 * The pulse is a lease. It may be used to say that somebody still waits for LEASE_MS from when its read began, because an
 * admission is told by no process before it is that old (see RulerWatch): a visitor who was told was admitted before the
 * read began, and so the pulse shows it.
 */
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import { RecentMap } from '../../platform/collections/recent-map.ts';
import type { Pulse } from '../estimate/pulse.ts';
import type { Lane } from '../model/lanes.ts';
import type { Crowd, WaiterStanding } from '../model/standing.ts';
import type { Admissions } from './admissions.ts';
import { LaneHead } from './lane-head.ts';

export const LEASE_MS = 250;
/** Leaves time for a slow read within the lease. */
const READ_EVERY_MS = 100;
const READS_PER_TICK = 4;
/**
 * The store is away for all, as far as this process can know, if the first read that failed began at most this long after
 * the last good one. The rest of the lease allows for the time that a call takes.
 */
const WATCHED_TO_THE_END_MS = 150;
/** The longest poll interval, and some seconds: so long the room is watched after the last poll. */
const WATCH_AFTER_POLL_MS = 65_000;
/** After this many intervals without a tick, nothing admits: the ruler no longer shows who has left. */
const STALE_AFTER_TICKS = 5;

/** A waiting visitor, as the store last returned them. */
export interface KnownWaiter {
  standing: WaiterStanding;
  /** When the call to which the store returned this began. */
  askedAt: number;
  /** When the last sign of life was passed on; the next is due a while later. */
  confirmedAt: number;
  /** How long the store expects the visitor to be quiet at most, from its position then. */
  quietMs: number;
}

export interface RoomWatchOptions {
  eventId: string;
  admissions: Pick<Admissions, 'findPulse'>;
  /** Only measures durations. */
  clock: Clock;
  delay: (ms: number) => Promise<void>;
  log: Logger;
  tickMs: number;
  /** How many waiters are remembered. */
  remembered: number;
  /** When the first call to the store about this room began. */
  since: number;
  /** Called when nobody has polled for a while: nothing that this room knows is of use any more. */
  onUnused: () => void;
}

export class RoomWatch {
  /** As the store last returned it to anyone. */
  crowd: Crowd | undefined;
  readonly #waiters: RecentMap<KnownWaiter>;
  readonly #options: RoomWatchOptions;
  readonly #heads: Record<Lane, LaneHead> = { ordinary: new LaneHead(), priority: new LaneHead() };
  #pulse: Pulse | undefined;
  /** When the pulse was first read, by the local clock: the store's may differ. */
  #changedAt = 0;
  /** When the last successful read began. */
  #readAt = Number.NEGATIVE_INFINITY;
  /** When the first of the failed reads since then began. */
  #failedAt: number | undefined;
  #watchedAt: number;
  #polledAt = 0;
  #reading: Promise<void> | undefined;
  #isWatching = false;
  #isStopped = false;

  constructor(options: RoomWatchOptions) {
    this.#options = options;
    this.#watchedAt = options.since;
    // Most of the waiters end in other processes, and this one is not told.
    const now = () => options.clock.now();
    this.#waiters = new RecentMap(options.remembered, { unusedMs: WATCH_AFTER_POLL_MS, now });
  }

  /** How many waiters are in memory. */
  get size(): number {
    return this.#waiters.size;
  }

  find(visitor: string): KnownWaiter | undefined {
    return this.#waiters.get(visitor);
  }

  remember(visitor: string, known: KnownWaiter, crowd: Crowd): void {
    this.#waiters.set(visitor, known);
    this.crowd = crowd;
    // The store is there: only what fails from now on counts.
    this.#failedAt = undefined;
    this.notePoll();
  }

  forget(visitor: string): void {
    this.#waiters.delete(visitor);
  }

  /** The last pulse that was read, however old. */
  get lastPulse(): Pulse | undefined {
    return this.#pulse;
  }

  /** Call for every poll: reads go on for a while. */
  notePoll(): void {
    this.#polledAt = this.#options.clock.now();
    if (!this.#isWatching) void this.#watch();
  }

  /** Reads the pulse if the lease is over; undefined if it is not. */
  renewLease(): Promise<void> | undefined {
    return this.#hasLease() ? undefined : this.#read();
  }

  /** Whether the visitor certainly waits, from a pulse within its lease. */
  certainlyWaits(known: KnownWaiter): boolean {
    if (this.#pulse === undefined || !this.#hasLease()) return false;
    const staleAt = this.#changedAt + STALE_AFTER_TICKS * this.#options.tickMs;
    return this.#options.clock.now() < staleAt && this.#isBehindHead(known);
  }

  /**
   * For while the store is away, when nobody is admitted: whether the visitor waited until then. Not if the store may have
   * gone on for others before it was missed here: then their admission may have been told. `failedAt`: when the call that
   * failed now began.
   */
  waitedToTheEnd(known: KnownWaiter, failedAt: number): boolean {
    const lastSign = Math.max(this.#readAt, known.askedAt);
    if (Math.min(this.#failedAt ?? failedAt, failedAt) - lastSign > WATCHED_TO_THE_END_MS) return false;
    return this.#isBehindHead(known);
  }

  stop(): void {
    this.#isStopped = true;
  }

  #hasLease(): boolean {
    return this.#options.clock.now() - this.#readAt <= LEASE_MS;
  }

  #isBehindHead(known: KnownWaiter): boolean {
    const { standing } = known;
    // Once a draw has begun only the store knows who has a number.
    if (standing.state === 'lobby') return this.#pulse === undefined || this.#pulse.crowd.draw === 'announced';
    return this.#heads[standing.lane ?? 'ordinary'].certainlyWaits(standing.number, known.askedAt);
  }

  /** Also without polls: if the store fails, what was read just before is what counts. */
  async #watch(): Promise<void> {
    const { clock, delay, tickMs } = this.#options;
    const everyMs = Math.min(READ_EVERY_MS, tickMs / READS_PER_TICK);
    this.#isWatching = true;
    while (!this.#isStopped && clock.now() - this.#polledAt < WATCH_AFTER_POLL_MS) {
      await this.#read();
      await delay(everyMs);
    }
    this.#isWatching = false;
    this.#options.onUnused();
  }

  #read(): Promise<void> {
    this.#reading ??= this.#readPulse().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readPulse(): Promise<void> {
    const { eventId, admissions, clock, log } = this.#options;
    const beganAt = clock.now();
    try {
      const pulse = await admissions.findPulse(eventId);
      this.#note(pulse, beganAt);
      this.#readAt = beganAt;
      this.#failedAt = undefined;
    } catch (error) {
      this.#failedAt ??= beganAt;
      log.debug({ err: error }, 'pulse could not be read, will retry');
    }
  }

  #note(pulse: Pulse | undefined, beganAt: number): void {
    const isGap = beganAt - this.#watchedAt > this.#options.tickMs;
    this.#watchedAt = beganAt;
    // Not by its time: a clock that was set back may give two ticks the same one.
    if (pulse !== this.#pulse) this.#changedAt = this.#options.clock.now();
    else if (!isGap) return;
    this.#pulse = pulse;
    const heads = { ordinary: headOf(pulse?.ruler.numbers), priority: headOf(pulse?.priorityRuler?.numbers) };
    for (const lane of ['ordinary', 'priority'] as const) {
      if (isGap) this.#heads[lane].restart(heads[lane], beganAt);
      else this.#heads[lane].note(heads[lane], beganAt);
    }
  }
}

function headOf(numbers: readonly number[] | undefined): number {
  return numbers?.[0] ?? Number.POSITIVE_INFINITY;
}
