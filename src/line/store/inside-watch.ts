/**
 * Answers visitors who are inside from memory, while the store has confirmed their session lately. Each request is a sign of
 * life all the same: those of a second are passed on together, so that a session ends no sooner for it. What ends a place in
 * another process is noticed within CONFIRMED_MS.
 */

import type { Clock } from '../../platform/clock.ts';
import { RecentMap, type RecentMapOptions } from '../../platform/collections/recent-map.ts';
import type { Crowd, InsideStanding } from '../model/standing.ts';
import type { LookOutcome } from './visits.ts';

/** Longer than pages inside are told to wait between polls, so that only the first poll asks the store. */
export const CONFIRMED_MS = 5_000;
/** Of a session: one that is shorter than ten times this share is never confirmed for long enough to be remembered. */
const SHARE_OF_SESSION = 10;
const SHORTEST_CONFIRMED_MS = 1_000;
const SIGNS_EVERY_MS = 1_000;
const UNUSED_MS = 60_000;
const REMEMBERED = 100_000;

interface KnownInside {
  standing: InsideStanding;
  crowd: Crowd;
  /** When the call to which the store returned this began. */
  askedAt: number;
}

interface KnownEvent {
  inside: RecentMap<KnownInside>;
  /** Answered from memory since their last sign of life. */
  seen: Set<string>;
  usedAt: number;
}

export interface InsideWatchOptions {
  /** Only measures durations. */
  clock: Clock;
  delay: (ms: number) => Promise<void>;
  /** Passes on a sign of life. */
  sign: (eventId: string, visitor: string) => Promise<LookOutcome>;
}

export class InsideWatch {
  readonly #options: InsideWatchOptions;
  readonly #events = new Map<string, KnownEvent>();
  /** When places were ended, by event and visitor: what the store was asked before that must not be remembered. */
  readonly #endedAt: RecentMap<number>;
  #isStopped = false;

  constructor(options: InsideWatchOptions) {
    this.#options = options;
    this.#endedAt = new RecentMap(REMEMBERED, this.#recent());
  }

  /** undefined if the store must be asked. Counts as a sign of life. */
  find(eventId: string, visitor: string): LookOutcome | undefined {
    const event = this.#events.get(eventId);
    const known = event?.inside.get(visitor);
    if (event === undefined || known === undefined || !isConfirmed(known, this.#options.clock.now())) return undefined;
    event.seen.add(visitor);
    event.usedAt = this.#options.clock.now();
    return { outcome: 'found', standing: known.standing, crowd: known.crowd };
  }

  /** What the store said, and the visitor may be told. Anything but a session is forgotten. */
  note(eventId: string, visitor: string, outcome: object, askedAt: number): void {
    const { standing, crowd } = outcome as Partial<Extract<LookOutcome, { outcome: 'found' }>>;
    if (standing?.state !== 'active' || crowd === undefined) {
      this.#events.get(eventId)?.inside.delete(visitor);
      return;
    }
    if (this.#isStopped || confirmedMs(crowd) < SHORTEST_CONFIRMED_MS) return;
    if ((this.#endedAt.get(toKey(eventId, visitor)) ?? Number.NEGATIVE_INFINITY) >= askedAt) return;
    this.#eventOf(eventId).inside.set(visitor, { standing, crowd, askedAt });
  }

  /** Call when the place has ended or moved: answers that are still on their way do not count. */
  forget(eventId: string, visitor: string): void {
    this.#events.get(eventId)?.inside.delete(visitor);
    this.#endedAt.set(toKey(eventId, visitor), this.#options.clock.now());
  }

  stop(): void {
    this.#isStopped = true;
  }

  #recent(): RecentMapOptions {
    return { unusedMs: UNUSED_MS, now: () => this.#options.clock.now() };
  }

  #eventOf(eventId: string): KnownEvent {
    const known = this.#events.get(eventId);
    if (known !== undefined) return known;
    const event: KnownEvent = {
      inside: new RecentMap(REMEMBERED, this.#recent()),
      seen: new Set(),
      usedAt: this.#options.clock.now(),
    };
    this.#events.set(eventId, event);
    void this.#passOn(eventId, event);
    return event;
  }

  /** Until nobody inside has asked for a while. */
  async #passOn(eventId: string, event: KnownEvent): Promise<void> {
    const { clock, delay } = this.#options;
    while (!this.#isStopped && clock.now() - event.usedAt < UNUSED_MS) {
      await delay(SIGNS_EVERY_MS);
      const visitors = [...event.seen];
      event.seen.clear();
      for (const visitor of visitors) void this.#sign(eventId, event, visitor);
    }
    this.#events.delete(eventId);
  }

  async #sign(eventId: string, event: KnownEvent, visitor: string): Promise<void> {
    const askedAt = this.#options.clock.now();
    try {
      this.note(eventId, visitor, await this.#options.sign(eventId, visitor), askedAt);
    } catch {
      // The store is away: the next second tries again.
      event.seen.add(visitor);
    }
  }
}

/** If two were alike, one of them would be asked about once more. */
function toKey(eventId: string, visitor: string): string {
  return `${eventId}\n${visitor}`;
}

/** How long a confirmation is good for. */
function confirmedMs({ settings }: Crowd): number {
  return Math.min(CONFIRMED_MS, settings.activeTtlMs / SHARE_OF_SESSION);
}

/** The store's clock has come no further than its last answer and the time since then. */
function isConfirmed({ standing, crowd, askedAt }: KnownInside, now: number): boolean {
  const ageMs = now - askedAt;
  return ageMs < confirmedMs(crowd) && crowd.at + ageMs < standing.expiresAt;
}
