/**
 * Answers those who wait from the last tick's ruler and the number they are known to have, so that a poll costs the
 * store nothing. The store is asked when the ruler says that a visitor's turn may have come, when the visitor is not
 * known here, and once in a while for everybody, many at a time: that is their sign of life, and how a place given up
 * elsewhere is noticed.
 */
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import { RecentMap } from '../../platform/collections/recent-map.ts';
import { type Pulse, rulerOf } from '../estimate/pulse.ts';
import { readRank } from '../estimate/ruler.ts';
import { type Crowd, isWaiter, type WaiterStanding } from '../model/standing.ts';
import type { LineStore } from './line-store.ts';
import type { LineWatch } from './line-watch.ts';
import type { LookOutcome } from './visits.ts';

export interface RulerWatchOptions {
  store: LineStore;
  clock: Clock;
  log: Logger;
  /** How often admission ticks, and so how often there is something new to read. */
  tickMs: number;
  /** How many waiters are remembered, of each event. */
  remembered?: number;
}

interface Known {
  /** As the store last told it. */
  standing: WaiterStanding;
  /** When the store last confirmed the place; the next sign of life is due a while after. */
  confirmedAt: number;
}

/** Who asks, and by which verb the store is asked where it has to be. */
interface Question {
  verb: 'look' | 'stay';
  eventId: string;
  visitor: string;
}

/** What this process knows of one event. */
interface WatchedRoom {
  /** Who is known to wait. */
  waiters: RecentMap<Known>;
  pulse: Pulse | undefined;
  /** As the store last told it to anybody. */
  crowd: Crowd | undefined;
  /** When the pulse was first read, by our own clock: that of the store may differ. */
  changedAt: number;
  readAt: number;
  reading: Promise<void> | undefined;
}

const DEFAULT_REMEMBERED = 400_000;
/** Half a second late at most, so that a change of the room is seen everywhere within 2 s. */
const READ_EVERY_MS = 500;
/** A sign of life goes to the store this often at most, and well within the time after which silence counts. */
const CONFIRM_EVERY_MS = 10_000;
const CONFIRM_SHARE_OF_SEEN_TTL = 4;
/** Without a tick for so many intervals nobody admits, or we are cut off: the ruler no longer says whose turn it is. */
const STALE_AFTER_TICKS = 5;

export class RulerWatch implements LineWatch {
  readonly #options: RulerWatchOptions;
  readonly #rooms = new Map<string, WatchedRoom>();

  constructor(options: RulerWatchOptions) {
    this.#options = options;
  }

  look(eventId: string, visitor: string): Promise<LookOutcome> {
    return this.#answer({ verb: 'look', eventId, visitor });
  }

  stay(eventId: string, visitor: string): Promise<LookOutcome> {
    return this.#answer({ verb: 'stay', eventId, visitor });
  }

  forget(eventId: string, visitor: string): void {
    this.#rooms.get(eventId)?.waiters.delete(visitor);
  }

  /** Not async, because most polls come through here and are answered on the spot. */
  #answer(question: Question): Promise<LookOutcome> {
    const room = this.#rooms.get(question.eventId);
    const known = room?.waiters.get(question.visitor);
    if (room === undefined || known === undefined) return this.#ask(question);
    const now = this.#options.clock.now();
    const reading = this.#refresh(question.eventId, room, now);
    // Only the very first reader has nothing to go by.
    if (room.pulse === undefined && reading !== undefined) {
      return reading.then(() => this.#answerKnown(question, room, known, now));
    }
    return this.#answerKnown(question, room, known, now);
  }

  #answerKnown(question: Question, room: WatchedRoom, known: Known, now: number): Promise<LookOutcome> {
    const { pulse } = room;
    if (pulse === undefined || !this.#isStillWaiting(pulse, room, known, now)) {
      return this.#askOrTell(question, room, known);
    }
    if (isDue(pulse, known, now)) this.#confirm(question, known, now);
    return Promise.resolve(tell(pulse, known));
  }

  async #ask({ verb, eventId, visitor }: Question): Promise<LookOutcome> {
    const outcome = await this.#options.store[verb](eventId, visitor);
    this.#remember(eventId, visitor, outcome);
    return outcome;
  }

  /** While the store cannot answer, whoever waits keeps the page they have; only a turn that may have come cannot be told. */
  async #askOrTell(question: Question, room: WatchedRoom, known: Known): Promise<LookOutcome> {
    try {
      return await this.#ask(question);
    } catch (error) {
      const { pulse, crowd } = room;
      if (pulse !== undefined && pulse.at >= known.standing.joinedAt) return tell(pulse, known);
      if (crowd === undefined) throw error;
      return { outcome: 'found', standing: known.standing, crowd };
    }
  }

  #remember(eventId: string, visitor: string, outcome: LookOutcome): void {
    if (outcome.outcome === 'found' && isWaiter(outcome.standing)) {
      const room = this.#roomOf(eventId);
      room.waiters.set(visitor, { standing: outcome.standing, confirmedAt: this.#options.clock.now() });
      room.crowd = outcome.crowd;
    } else {
      this.forget(eventId, visitor);
    }
  }

  #isStillWaiting(pulse: Pulse, { changedAt }: WatchedRoom, { standing }: Known, now: number): boolean {
    const isFresh = changedAt + STALE_AFTER_TICKS * this.#options.tickMs > now;
    // Once a draw has begun only the store knows who has a number.
    if (standing.state === 'lobby') return isFresh && pulse.crowd.draw === 'announced';
    const head = rulerOf(pulse, standing)?.numbers[0];
    return isFresh && head !== undefined && standing.number >= head;
  }

  /** Beside the answer, not before it; the store puts all of one turn into one call. */
  #confirm(question: Question, known: Known, now: number): void {
    known.confirmedAt = now;
    this.#ask(question).catch((error) =>
      this.#options.log.debug({ err: error }, 'a sign of life did not reach the store; the next one will'),
    );
  }

  /** The pulse is read again once in a while per event, by whoever comes first; the others share it. */
  #refresh(eventId: string, room: WatchedRoom, now: number): Promise<void> | undefined {
    const readEveryMs = Math.min(READ_EVERY_MS, this.#options.tickMs);
    if (room.readAt + readEveryMs <= now) room.reading ??= this.#readPulse(eventId, room);
    return room.reading;
  }

  #roomOf(eventId: string): WatchedRoom {
    const room = this.#rooms.get(eventId) ?? {
      waiters: new RecentMap<Known>(this.#options.remembered ?? DEFAULT_REMEMBERED),
      pulse: undefined,
      crowd: undefined,
      changedAt: 0,
      readAt: Number.NEGATIVE_INFINITY,
      reading: undefined,
    };
    this.#rooms.set(eventId, room);
    return room;
  }

  async #readPulse(eventId: string, room: WatchedRoom): Promise<void> {
    try {
      const pulse = await this.#options.store.findPulse(eventId);
      if (pulse === undefined || pulse.at === room.pulse?.at) return;
      room.pulse = pulse;
      room.changedAt = this.#options.clock.now();
    } catch (error) {
      this.#options.log.debug({ err: error }, 'the last tick could not be read; the one before serves');
    } finally {
      room.readAt = this.#options.clock.now();
      room.reading = undefined;
    }
  }
}

function isDue({ crowd }: Pulse, { confirmedAt }: Known, now: number): boolean {
  const everyMs = Math.min(CONFIRM_EVERY_MS, crowd.settings.seenTtlMs / CONFIRM_SHARE_OF_SEEN_TTL);
  return confirmedAt + everyMs <= now;
}

function tell(pulse: Pulse, { standing }: Known): LookOutcome {
  const { crowd } = pulse;
  if (standing.state === 'lobby') return { outcome: 'found', standing, crowd };
  const ruler = rulerOf(pulse, standing);
  // Of two lanes a ruler cannot tell where one stands who joined after it was measured; the store has told them.
  const isTooOld = pulse.priorityRuler !== undefined && standing.joinedAt >= pulse.at;
  if (ruler === undefined || isTooOld) return { outcome: 'found', standing, crowd };
  return { outcome: 'found', standing: { ...standing, position: readRank(ruler, standing.number) }, crowd };
}
