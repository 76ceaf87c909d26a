/**
 * Visits that answer waiting visitors from the ruler of the last tick and the number they are known to have, so that a
 * poll costs a remote store nothing. The store is called when the ruler says that a visitor's turn may have come, when
 * the visitor is not known here, and for every visitor once in a while: that is their sign of life, and how a place
 * given up in another process is noticed. Visitors inside are answered by InsideWatch. All other verbs go to the store.
 *
 * What a visitor was told never goes backwards, whichever processes they ask (invariant 6). Two rules together ensure it:
 * a process says "waiting" from memory only within the lease of its pulse (RoomWatch), and an admission is told only once
 * it is older than every such lease. Visitors who go straight in have not waited and are told at once.
 */
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import { StoreUnavailableError } from '../../platform/store-unavailable-error.ts';
import { type Pulse, rulerOf } from '../estimate/pulse.ts';
import { readRank } from '../estimate/ruler.ts';
import { LOBBY_QUIET_MS, outgrowsQuiet, quietMsAt, signEveryMsAt } from '../model/presence.ts';
import { type Crowd, isWaiter, type Standing, type WaiterStanding } from '../model/standing.ts';
import type { Admissions } from './admissions.ts';
import { InsideWatch } from './inside-watch.ts';
import { type KnownWaiter, LEASE_MS, RoomWatch } from './room-watch.ts';
import type {
  AskOptions,
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
  /** Only measures durations: must not jump with the system clock. */
  clock: Clock;
  log: Logger;
  /** How often admission ticks, and so how often there is a new ruler. */
  tickMs: number;
  /** How many waiters are remembered per event. */
  remembered?: number;
  /** Resolves after so many milliseconds. */
  delay?: (ms: number) => Promise<void>;
}

/** Who is asking, and the verb to call if the store is needed. */
interface Question {
  verb: 'look' | 'stay';
  eventId: string;
  visitor: string;
}

type Outcome = JoinWithNumberOutcome | LookOutcome | EnterOutcome;

/** The visitor has been answered from memory: whatever the store says now, they have not been told. */
const SIGN: AskOptions = { isSign: true };
const DEFAULT_REMEMBERED = 400_000;
/** Signs of life reach the store at least four times within seenTtlMs; otherwise see presence.ts. */
const CONFIRM_SHARE_OF_SEEN_TTL = 4;

export class RulerWatch implements Visits {
  readonly #options: RulerWatchOptions & { delay: (ms: number) => Promise<void> };
  readonly #rooms = new Map<string, RoomWatch>();
  readonly #inside: InsideWatch;

  constructor(options: RulerWatchOptions) {
    this.#options = { delay: pause, ...options };
    const { clock, delay, visits } = this.#options;
    this.#inside = new InsideWatch({ clock, delay, sign: (eventId, visitor) => visits.look(eventId, visitor, SIGN) });
  }

  look(eventId: string, visitor: string, options?: AskOptions): Promise<LookOutcome> {
    return this.#answer({ verb: 'look', eventId, visitor }, options);
  }

  /** With a token id it is about a session, which only the store knows. */
  stay(eventId: string, visitor: string, tokenId?: string, options?: AskOptions): Promise<LookOutcome> {
    if (tokenId !== undefined) return this.#options.visits.stay(eventId, visitor, tokenId);
    return this.#answer({ verb: 'stay', eventId, visitor }, options);
  }

  async find(eventId: string, visitor: string): Promise<LookOutcome> {
    return this.#whenTold(eventId, visitor, await this.#options.visits.find(eventId, visitor));
  }

  join(eventId: string, visitor: string, options?: JoinOptions): Promise<JoinOutcome> {
    return this.#note(eventId, visitor, (visits) => visits.join(eventId, visitor, options));
  }

  joinWithNumber(
    eventId: string,
    visitor: string,
    number: number,
    options?: LaneOptions,
  ): Promise<JoinWithNumberOutcome> {
    return this.#note(eventId, visitor, (visits) => visits.joinWithNumber(eventId, visitor, number, options));
  }

  enter(eventId: string, visitor: string, placeId?: string): Promise<EnterOutcome> {
    return this.#note(eventId, visitor, (visits) => visits.enter(eventId, visitor, placeId));
  }

  async leave(eventId: string, visitor: string, tokenId?: string): Promise<LeaveOutcome> {
    const outcome = await this.#options.visits.leave(eventId, visitor, tokenId);
    // After the response, not before the call: the response of an earlier look may still arrive in between.
    this.forget(eventId, visitor);
    return outcome;
  }

  async rename(eventId: string, from: string, to: string): Promise<RenameOutcome> {
    const outcome = await this.#options.visits.rename(eventId, from, to);
    this.forget(eventId, from);
    this.forget(eventId, to);
    return outcome;
  }

  async disconnect(eventId: string, visitor: string): Promise<DisconnectOutcome> {
    const outcome = await this.#options.visits.disconnect(eventId, visitor);
    if (outcome.outcome === 'left') this.forget(eventId, visitor);
    return outcome;
  }

  /** Call when the place was ended elsewhere: the next poll then asks the store. */
  forget(eventId: string, visitor: string): void {
    this.#rooms.get(eventId)?.forget(visitor);
    this.#inside.forget(eventId, visitor);
  }

  /** What is in memory: rooms that are watched, and waiting visitors that are known in them. */
  get size(): { rooms: number; waiters: number } {
    const waiters = [...this.#rooms.values()].reduce((sum, room) => sum + room.size, 0);
    return { rooms: this.#rooms.size, waiters };
  }

  /** Ends the reading of pulses. */
  stop(): void {
    this.#inside.stop();
    for (const room of this.#rooms.values()) room.stop();
  }

  /** Not async: most polls come through here and are answered at once. */
  #answer(question: Question, options: AskOptions | undefined): Promise<LookOutcome> {
    const inside = this.#inside.find(question.eventId, question.visitor);
    if (inside !== undefined) return Promise.resolve(inside);
    const room = this.#rooms.get(question.eventId);
    const known = room?.find(question.visitor);
    if (room === undefined || known === undefined || options?.wasAdmitted) return this.#ask(question);
    room.notePoll();
    const reading = room.renewLease();
    if (reading !== undefined) return reading.then(() => this.#answerKnown(question, room, known));
    return this.#answerKnown(question, room, known);
  }

  #answerKnown(question: Question, room: RoomWatch, known: KnownWaiter): Promise<LookOutcome> {
    if (!room.certainlyWaits(known)) return this.#askOrKeep(question, room, known);
    const outcome = toOutcome(room.lastPulse!, known);
    const now = this.#options.clock.now();
    if (isDue(outcome, known, now)) this.#confirm(question, known, now);
    return Promise.resolve(outcome);
  }

  #ask({ verb, eventId, visitor }: Question, options?: AskOptions): Promise<LookOutcome> {
    return this.#note(eventId, visitor, (visits) =>
      verb === 'look' ? visits.look(eventId, visitor, options) : visits.stay(eventId, visitor, undefined, options),
    );
  }

  /** While the store is away, those who certainly waited until then keep the page they have; nobody is admitted. */
  async #askOrKeep(question: Question, room: RoomWatch, known: KnownWaiter): Promise<LookOutcome> {
    const askedAt = this.#options.clock.now();
    try {
      return await this.#ask(question);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError) || !room.waitedToTheEnd(known, askedAt)) throw error;
      const { lastPulse, crowd } = room;
      if (lastPulse !== undefined && lastPulse.at >= known.standing.joinedAt) return toOutcome(lastPulse, known);
      if (crowd === undefined) throw error;
      return { outcome: 'found', standing: known.standing, crowd };
    }
  }

  /** Calls the store, and remembers a visitor who waits, or who is inside once they may be told. */
  async #note<T extends Outcome>(eventId: string, visitor: string, call: (visits: Visits) => Promise<T>): Promise<T> {
    const askedAt = this.#options.clock.now();
    const outcome = await call(this.#options.visits);
    if ('standing' in outcome && isWaiter(outcome.standing)) {
      this.#inside.note(eventId, visitor, outcome, askedAt);
      this.#remember(eventId, visitor, outcome.standing, outcome.crowd, askedAt);
      return outcome;
    }
    this.#rooms.get(eventId)?.forget(visitor);
    const told = await this.#whenTold(eventId, visitor, outcome);
    this.#inside.note(eventId, visitor, told, askedAt);
    return told;
  }

  #remember(eventId: string, visitor: string, standing: WaiterStanding, crowd: Crowd, askedAt: number): void {
    const quietMs = standing.state === 'lobby' ? LOBBY_QUIET_MS : quietMsAt(standing.position);
    const confirmedAt = this.#options.clock.now();
    this.#roomOf(eventId, askedAt).remember(visitor, { standing, askedAt, confirmedAt, quietMs }, crowd);
  }

  /**
   * The outcome, once it may be told: not before every process reads a pulse that shows it. The store must still be there
   * then; otherwise a process that it left a moment earlier would go on to say "waiting".
   */
  async #whenTold<T extends Outcome>(eventId: string, visitor: string, outcome: T): Promise<T> {
    const restMs = 'standing' in outcome ? untoldMs(outcome.standing, outcome.crowd) : 0;
    if (restMs <= 0) return outcome;
    await this.#options.delay(restMs);
    await this.#options.visits.find(eventId, visitor);
    return outcome;
  }

  /** Does not delay the response; the store batches all calls of one turn. */
  #confirm(question: Question, known: KnownWaiter, now: number): void {
    const { confirmedAt } = known;
    known.confirmedAt = now;
    this.#ask(question, SIGN).catch((error) => {
      // With the next poll: one that is missed until it is due again may be all that the store hears in its time.
      known.confirmedAt = confirmedAt;
      this.#options.log.debug({ err: error }, 'sign of life did not reach the store, will retry');
    });
  }

  #roomOf(eventId: string, since: number): RoomWatch {
    const known = this.#rooms.get(eventId);
    if (known !== undefined) return known;
    const remembered = this.#options.remembered ?? DEFAULT_REMEMBERED;
    const onUnused = () => this.#rooms.delete(eventId);
    const room = new RoomWatch({ ...this.#options, eventId, remembered, since, onUnused });
    this.#rooms.set(eventId, room);
    return room;
  }
}

/** How long an admission must still wait to be told. */
function untoldMs(standing: Standing, { at }: Crowd): number {
  if (standing.state !== 'admitted' && standing.state !== 'active') return 0;
  return standing.admittedAt === standing.joinedAt ? 0 : standing.admittedAt + LEASE_MS - at;
}

/** Whether a sign of life must be passed on now. */
function isDue({ standing, crowd }: FoundWaiter, { confirmedAt, quietMs }: KnownWaiter, now: number): boolean {
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

function toOutcome(pulse: Pulse, { standing }: KnownWaiter): FoundWaiter {
  const { crowd } = pulse;
  if (standing.state === 'lobby') return { outcome: 'found', standing, crowd };
  const ruler = rulerOf(pulse, standing);
  // With two lanes a ruler cannot place a visitor who joined after it was measured; the store already has.
  const isTooOld = pulse.priorityRuler !== undefined && standing.joinedAt >= pulse.at;
  if (ruler === undefined || isTooOld) return { outcome: 'found', standing, crowd };
  return { outcome: 'found', standing: { ...standing, position: readRank(ruler, standing.number) }, crowd };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
