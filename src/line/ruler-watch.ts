/**
 * Answers those who wait from the last tick's ruler and the number they are known to have, so that a poll costs the
 * store nothing. The store is asked when the ruler says that a visitor's turn may have come, when the visitor is not
 * known here, and once in a while for everybody, many at a time: that is their sign of life, and how a place given up
 * elsewhere is noticed.
 */
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import { RecentMap } from '../platform/recent-map.ts';
import type { Crowd, LineStore, LookOutcome, Pulse, Standing } from './line-store.ts';
import type { LineWatch } from './line-watch.ts';
import { readRank } from './ruler.ts';

export interface RulerWatchOptions {
  store: LineStore;
  clock: Clock;
  log: Logger;
  /** How often admission ticks, and so how often there is something new to read. */
  tickMs: number;
  remembered?: number;
}

interface Known {
  /** As the store last told it. */
  standing: Waiter;
  /** When the store last confirmed the place; the next sign of life is due a while after. */
  confirmedAt: number;
}

type Waiter = Extract<Standing, { state: 'waiting' | 'lobby' }>;

interface RecentPulse {
  pulse: Pulse | undefined;
  /** As the store last told it to anybody. */
  crowd: Crowd | undefined;
  /** When it was first read, by our own clock: that of the store may differ. */
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
  readonly #known: RecentMap<Known>;
  readonly #pulses = new Map<string, RecentPulse>();

  constructor(options: RulerWatchOptions) {
    this.#options = options;
    this.#known = new RecentMap(options.remembered ?? DEFAULT_REMEMBERED);
  }

  async look(eventId: string, visitor: string): Promise<LookOutcome> {
    const key = keyOf(eventId, visitor);
    const known = this.#known.get(key);
    if (known === undefined) return this.#ask(eventId, visitor);
    const recent = await this.#recentPulse(eventId);
    const { pulse } = recent;
    if (pulse === undefined || !this.#isStillWaiting(pulse, recent, known)) {
      return this.#askOrTell(eventId, visitor, recent, known);
    }
    if (this.#isDue(pulse, known)) this.#confirm(eventId, visitor, known);
    return tell(pulse, known);
  }

  forget(eventId: string, visitor: string): void {
    this.#known.delete(keyOf(eventId, visitor));
  }

  async #ask(eventId: string, visitor: string): Promise<LookOutcome> {
    const outcome = await this.#options.store.look(eventId, visitor);
    this.#remember(eventId, visitor, outcome);
    return outcome;
  }

  /** While the store cannot answer, whoever waits keeps the page they have; only a turn that may have come cannot be told. */
  async #askOrTell(eventId: string, visitor: string, recent: RecentPulse, known: Known): Promise<LookOutcome> {
    try {
      return await this.#ask(eventId, visitor);
    } catch (error) {
      const { pulse, crowd } = recent;
      if (pulse !== undefined && pulse.at >= known.standing.joinedAt) return tell(pulse, known);
      if (crowd === undefined) throw error;
      return { outcome: 'found', standing: known.standing, crowd };
    }
  }

  #remember(eventId: string, visitor: string, outcome: LookOutcome): void {
    const key = keyOf(eventId, visitor);
    if (outcome.outcome === 'found' && isWaiter(outcome.standing)) {
      this.#known.set(key, { standing: outcome.standing, confirmedAt: this.#options.clock.now() });
      this.#recentOf(eventId).crowd = outcome.crowd;
    } else {
      this.#known.delete(key);
    }
  }

  #isStillWaiting({ ruler, crowd }: Pulse, { changedAt }: RecentPulse, { standing }: Known): boolean {
    const isFresh = changedAt + STALE_AFTER_TICKS * this.#options.tickMs > this.#options.clock.now();
    // Once a draw has begun only the store knows who has a number.
    if (standing.state === 'lobby') return isFresh && crowd.draw === 'announced';
    const head = ruler.numbers[0];
    return isFresh && head !== undefined && standing.number >= head;
  }

  #isDue({ crowd }: Pulse, { confirmedAt }: Known): boolean {
    const everyMs = Math.min(CONFIRM_EVERY_MS, crowd.settings.seenTtlMs / CONFIRM_SHARE_OF_SEEN_TTL);
    return confirmedAt + everyMs <= this.#options.clock.now();
  }

  /** Beside the answer, not before it; the store puts all of one turn into one call. */
  #confirm(eventId: string, visitor: string, known: Known): void {
    known.confirmedAt = this.#options.clock.now();
    this.#ask(eventId, visitor).catch((error) =>
      this.#options.log.debug({ err: error }, 'a sign of life did not reach the store; the next one will'),
    );
  }

  /** Read again once in a while per event, by whoever comes first; the others share it. */
  async #recentPulse(eventId: string): Promise<RecentPulse> {
    const recent = this.#recentOf(eventId);
    const readEveryMs = Math.min(READ_EVERY_MS, this.#options.tickMs);
    if (recent.readAt + readEveryMs <= this.#options.clock.now()) {
      recent.reading ??= this.#readPulse(eventId, recent);
      // Only the very first reader has nothing to go by.
      if (recent.pulse === undefined) await recent.reading;
    }
    return recent;
  }

  #recentOf(eventId: string): RecentPulse {
    const recent = this.#pulses.get(eventId) ?? {
      pulse: undefined,
      crowd: undefined,
      changedAt: 0,
      readAt: Number.NEGATIVE_INFINITY,
      reading: undefined,
    };
    this.#pulses.set(eventId, recent);
    return recent;
  }

  async #readPulse(eventId: string, recent: RecentPulse): Promise<void> {
    try {
      const pulse = await this.#options.store.findPulse(eventId);
      if (pulse === undefined || pulse.at === recent.pulse?.at) return;
      recent.pulse = pulse;
      recent.changedAt = this.#options.clock.now();
    } catch (error) {
      this.#options.log.debug({ err: error }, 'the last tick could not be read; the one before serves');
    } finally {
      recent.readAt = this.#options.clock.now();
      recent.reading = undefined;
    }
  }
}

function tell({ crowd, ruler }: Pulse, { standing }: Known): LookOutcome {
  if (standing.state === 'lobby') return { outcome: 'found', standing, crowd };
  return { outcome: 'found', standing: { ...standing, position: readRank(ruler, standing.number) }, crowd };
}

function isWaiter(standing: Standing): standing is Waiter {
  return standing.state === 'waiting' || standing.state === 'lobby';
}

/** Event ids hold no white space, so the two cannot run into each other. */
const keyOf = (eventId: string, visitor: string): string => `${eventId} ${visitor}`;
