/**
 * Which events have tier 1 switched on, as far as this gate has heard. Before it has heard anything, all of them:
 * whoever wrongly meets a waiting room is let through by it, while the other mistake cannot be mended.
 */
export type EventList = readonly string[] | 'all';

export interface ActiveEventsOptions {
  /** Asks whoever knows. */
  list: () => Promise<EventList>;
  /** In ms, for spans. */
  now: () => number;
  /** What holds until it has been asked. */
  first?: EventList;
}

/** Older than this it is asked again, but nobody waits for the answer. */
const FRESH_MS = 1_000;
/** Older than this nobody decides by it, so that a switch takes effect within 2 s. */
const STALE_MS = 1_900;

export class ActiveEvents {
  readonly #options: ActiveEventsOptions;
  #events: EventList = 'all';
  #folded: ReadonlySet<string> = new Set();
  #heardAt = Number.NEGATIVE_INFINITY;
  #askedAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;

  constructor(options: ActiveEventsOptions) {
    this.#options = options;
    this.#hear(options.first ?? 'all');
  }

  get events(): EventList {
    return this.#events;
  }

  has(eventId: string): boolean {
    return this.#events === 'all' || this.#folded.has(fold(eventId));
  }

  /** What has to be waited for before deciding; undefined if nothing. While nobody answers, what was last heard holds. */
  freshen(): Promise<void> | undefined {
    const now = this.#options.now();
    if (now - this.#heardAt < FRESH_MS) return undefined;
    if (now - this.#askedAt >= FRESH_MS) this.#asking ??= this.#ask(now);
    return now - this.#heardAt < STALE_MS ? undefined : this.#asking;
  }

  async #ask(now: number): Promise<void> {
    this.#askedAt = now;
    try {
      this.#hear(await this.#options.list());
      this.#heardAt = now;
    } catch {
      // Asked again in a second.
    } finally {
      this.#asking = undefined;
    }
  }

  #hear(events: EventList): void {
    this.#events = events;
    this.#folded = new Set(events === 'all' ? [] : events.map(fold));
  }
}

/** Where the list is part of the configuration. */
export function fixedEvents(events: EventList): ActiveEventsOptions {
  return { first: events, list: async () => events, now: () => 0 };
}

/** Databases take `A-1` and `a1` for one UUID: an id that such a site would take for an active event's counts as it. */
function fold(eventId: string): string {
  return eventId.toLowerCase().replace(/[-_]/g, '');
}
