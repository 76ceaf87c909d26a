/**
 * Which events have a waiting room before the site now, as far as this gate has heard. Before it has heard anything,
 * all of them: whoever wrongly meets a waiting room is let through by it, while the other mistake cannot be mended.
 */
export class ActiveEvents {
  #events: readonly string[] | 'all' = 'all';
  #folded: ReadonlySet<string> = new Set();

  constructor(first: readonly string[] | 'all' = 'all') {
    this.set(first);
  }

  get events(): readonly string[] | 'all' {
    return this.#events;
  }

  set(events: readonly string[] | 'all'): void {
    this.#events = events;
    this.#folded = new Set(events === 'all' ? [] : events.map(fold));
  }

  has(eventId: string): boolean {
    return this.#events === 'all' || this.#folded.has(fold(eventId));
  }
}

/** Databases take `A-1` and `a1` for one UUID: an id that such a site would take for an active event's counts as it. */
function fold(eventId: string): string {
  return eventId.toLowerCase().replace(/[-_]/g, '');
}
