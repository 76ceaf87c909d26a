/**
 * The titles of events for those who wait, from memory: a poll must not ask the database. The first poll after a start may
 * get none; a change is seen within seconds.
 */
import type { Clock } from '../platform/clock.ts';
import { RecentMap } from '../platform/collections/recent-map.ts';
import type { EventStore } from './event-store.ts';

export interface EventNames {
  title: string;
  artist: string;
}

interface Known {
  names: EventNames | undefined;
  /** When to look again. */
  staleAt: number;
}

const FRESH_MS = 10_000;
const MOST_EVENTS = 1_000;

export interface FindNamesOptions {
  events: Pick<EventStore, 'findEvent'>;
  /** False while there is no database: asking it for a name would create it. */
  hasDatabase: () => boolean;
  clock: Clock;
}

/** Call what it returns only for events that have a room: each id that it is given is looked up. */
export function createFindNames({
  events,
  hasDatabase,
  clock,
}: FindNamesOptions): (eventId: string) => EventNames | undefined {
  const known = new RecentMap<Known>(MOST_EVENTS);

  async function refresh(eventId: string, old: EventNames | undefined): Promise<void> {
    // Also while the database is away: it is asked once per event and period.
    known.set(eventId, { names: old, staleAt: clock.now() + FRESH_MS });
    if (!hasDatabase()) return;
    const event = await events.findEvent(eventId).catch(() => 'away' as const);
    if (event === 'away') return;
    const names = event === undefined || event.state === 'draft' ? undefined : toNames(event);
    known.set(eventId, { names, staleAt: clock.now() + FRESH_MS });
  }

  return (eventId) => {
    const found = known.get(eventId);
    if (found === undefined || found.staleAt <= clock.now()) void refresh(eventId, found?.names);
    return found?.names;
  };
}

function toNames({ title, artist }: EventNames): EventNames {
  return { title, artist };
}
