/**
 * Visits that answer waiting visitors from the ruler of the last tick and the number they are known to have, so that a
 * poll costs a remote store nothing. The store is called when the ruler says that a visitor's turn may have come, when
 * the visitor is not known here, and for every visitor once in a while: that is their sign of life, and how a place
 * given up in another process is noticed. All other verbs go to the store.
 */
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import { RecentMap } from '../../platform/collections/recent-map.ts';
import { type Pulse, rulerOf } from '../estimate/pulse.ts';
import { readRank } from '../estimate/ruler.ts';
import { LOBBY_QUIET_MS, outgrowsQuiet, quietMsAt, signEveryMsAt } from '../model/presence.ts';
import { type Crowd, isWaiter, type WaiterStanding } from '../model/standing.ts';
import type { Admissions } from './admissions.ts';
import type {
  DisconnectOutcome,
  EnterOutcome,
  JoinOptions,
  JoinOutcome,
  JoinWithNumberOutcome,
  LaneOptions,
  LeaveOutcome,
  LookOutcome,
  RenameOutcome,
  Visits,
} from './visits.ts';

export interface RulerWatchOptions {
  visits: Visits;
  admissions: Pick<Admissions, 'findPulse'>;
  clock: Clock;
  log: Logger;
  /** How often admission ticks, and so how often there is a new ruler. */
  tickMs: number;
  /** How many waiters are remembered per event. */
  remembered?: number;
}

interface Known {
  /** As the store last returned it. */
  standing: WaiterStanding;
  /** When the store last confirmed the place; the next sign of life is due a while later. */
  confirmedAt: number;
  /** How long the store expects the visitor to be quiet at most, from its position then. */
  quietMs: number;
}

/** Who is asking, and the verb to call if the store is needed. */
interface Question {
  verb: 'look' | 'stay';
  eventId: string;
  visitor: string;
}

/** What this process knows about one event. */
interface WatchedRoom {
  waiters: RecentMap<Known>;
  pulse: Pulse | undefined;
  /** As the store last returned it to anyone. */
  crowd: Crowd | undefined;
  /** When the pulse was first read, by the local clock: the store's may differ. */
  changedAt: number;
  readAt: number;
  reading: Promise<void> | undefined;
}

const DEFAULT_REMEMBERED = 400_000;
/** A changed room must be visible everywhere within 2 s; this adds at most half a second. */
const READ_EVERY_MS = 500;
/** Signs of life reach the store at least four times within seenTtlMs; otherwise see presence.ts. */
const CONFIRM_SHARE_OF_SEEN_TTL = 4;
/** After this many intervals without a tick, nothing admits or we are cut off: the ruler no longer says whose turn it is. */
const STALE_AFTER_TICKS = 5;

export class RulerWatch implements Visits {
  readonly #options: RulerWatchOptions;
  readonly #rooms = new Map<string, WatchedRoom>();

  constructor(options: RulerWatchOptions) {
    this.#options = options;
  }

  /** May be one tick old, but never reports an admission later than that. */
  look(eventId: string, visitor: string): Promise<LookOutcome> {
    return this.#answer({ verb: 'look', eventId, visitor });
  }

  /** With a token id it is about a session, which only the store knows. */
  stay(eventId: string, visitor: string, tokenId?: string): Promise<LookOutcome> {
    if (tokenId !== undefined) return this.#options.visits.stay(eventId, visitor, tokenId);
    return this.#answer({ verb: 'stay', eventId, visitor });
  }

  find(eventId: string, visitor: string): Promise<LookOutcome> {
    return this.#options.visits.find(eventId, visitor);
  }

  join(eventId: string, visitor: string, options?: JoinOptions): Promise<JoinOutcome> {
    return this.#thenForget(eventId, visitor, this.#options.visits.join(eventId, visitor, options));
  }

  joinWithNumber(
    eventId: string,
    visitor: string,
    number: number,
    options?: LaneOptions,
  ): Promise<JoinWithNumberOutcome> {
    const joining = this.#options.visits.joinWithNumber(eventId, visitor, number, options);
    return this.#thenForget(eventId, visitor, joining);
  }

  enter(eventId: string, visitor: string, placeId?: string): Promise<EnterOutcome> {
    return this.#thenForget(eventId, visitor, this.#options.visits.enter(eventId, visitor, placeId));
  }

  leave(eventId: string, visitor: string, tokenId?: string): Promise<LeaveOutcome> {
    return this.#thenForget(eventId, visitor, this.#options.visits.leave(eventId, visitor, tokenId));
  }

  async rename(eventId: string, from: string, to: string): Promise<RenameOutcome> {
    const outcome = await this.#options.visits.rename(eventId, from, to);
    this.forget(eventId, from);
    this.forget(eventId, to);
    return outcome;
  }

  disconnect(eventId: string, visitor: string): Promise<DisconnectOutcome> {
    return this.#options.visits.disconnect(eventId, visitor);
  }

  /** After the response, not before the call: the response of an earlier look may still arrive in between. */
  #thenForget<T>(eventId: string, visitor: string, change: Promise<T>): Promise<T> {
    return change.then((outcome) => {
      this.forget(eventId, visitor);
      return outcome;
    });
  }

  /** Call when the place was ended elsewhere: the next poll then asks the store. */
  forget(eventId: string, visitor: string): void {
    this.#rooms.get(eventId)?.waiters.delete(visitor);
  }

  /** Not async: most polls come through here and are answered at once. */
  #answer(question: Question): Promise<LookOutcome> {
    const room = this.#rooms.get(question.eventId);
    const known = room?.waiters.get(question.visitor);
    if (room === undefined || known === undefined) return this.#ask(question);
    const now = this.#options.clock.now();
    const reading = this.#refresh(question.eventId, room, now);
    // Only the very first reader has no older pulse to use.
    if (room.pulse === undefined && reading !== undefined) {
      return reading.then(() => this.#answerKnown(question, room, known, now));
    }
    return this.#answerKnown(question, room, known, now);
  }

  #answerKnown(question: Question, room: WatchedRoom, known: Known, now: number): Promise<LookOutcome> {
    const { pulse } = room;
    if (pulse === undefined || !this.#isStillWaiting(pulse, room, known, now)) {
      return this.#askOrAnswer(question, room, known);
    }
    const outcome = toOutcome(pulse, known);
    if (isDue(outcome, known, now)) this.#confirm(question, known, now);
    return Promise.resolve(outcome);
  }

  async #ask({ verb, eventId, visitor }: Question): Promise<LookOutcome> {
    const outcome = await this.#options.visits[verb](eventId, visitor);
    this.#remember(eventId, visitor, outcome);
    return outcome;
  }

  /** While the store is unavailable, waiters keep the page they have; only an admission cannot be reported. */
  async #askOrAnswer(question: Question, room: WatchedRoom, known: Known): Promise<LookOutcome> {
    try {
      return await this.#ask(question);
    } catch (error) {
      const { pulse, crowd } = room;
      if (pulse !== undefined && pulse.at >= known.standing.joinedAt) return toOutcome(pulse, known);
      if (crowd === undefined) throw error;
      return { outcome: 'found', standing: known.standing, crowd };
    }
  }

  #remember(eventId: string, visitor: string, outcome: LookOutcome): void {
    if (outcome.outcome === 'found' && isWaiter(outcome.standing)) {
      const room = this.#roomOf(eventId);
      const { standing } = outcome;
      const quietMs = standing.state === 'lobby' ? LOBBY_QUIET_MS : quietMsAt(standing.position);
      room.waiters.set(visitor, { standing, confirmedAt: this.#options.clock.now(), quietMs });
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

  /** Does not delay the response; the store batches all calls of one turn. */
  #confirm(question: Question, known: Known, now: number): void {
    known.confirmedAt = now;
    this.#ask(question).catch((error) =>
      this.#options.log.debug({ err: error }, 'sign of life did not reach the store, will retry'),
    );
  }

  /** The first poll after the interval reads the pulse again; the others share the result. */
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
      const pulse = await this.#options.admissions.findPulse(eventId);
      if (pulse === undefined || pulse.at === room.pulse?.at) return;
      room.pulse = pulse;
      room.changedAt = this.#options.clock.now();
    } catch (error) {
      this.#options.log.debug({ err: error }, 'pulse could not be read, using the previous one');
    } finally {
      room.readAt = this.#options.clock.now();
      room.reading = undefined;
    }
  }
}

/** Whether a sign of life must be passed on now. */
function isDue({ standing, crowd }: FoundWaiter, { confirmedAt, quietMs }: Known, now: number): boolean {
  const position = standing.state === 'lobby' ? Number.POSITIVE_INFINITY : standing.position;
  const everyMs = Math.min(signEveryMsAt(position), crowd.settings.seenTtlMs / CONFIRM_SHARE_OF_SEEN_TTL);
  if (confirmedAt + everyMs <= now) return true;
  return standing.state === 'waiting' && outgrowsQuiet(position, quietMs);
}

interface FoundWaiter {
  outcome: 'found';
  standing: WaiterStanding;
  crowd: Crowd;
}

function toOutcome(pulse: Pulse, { standing }: Known): FoundWaiter {
  const { crowd } = pulse;
  if (standing.state === 'lobby') return { outcome: 'found', standing, crowd };
  const ruler = rulerOf(pulse, standing);
  // With two lanes a ruler cannot place a visitor who joined after it was measured; the store already has.
  const isTooOld = pulse.priorityRuler !== undefined && standing.joinedAt >= pulse.at;
  if (ruler === undefined || isTooOld) return { outcome: 'found', standing, crowd };
  return { outcome: 'found', standing: { ...standing, position: readRank(ruler, standing.number) }, crowd };
}
