/**
 * The rooms in use: those with visitors, and for a quarter of an hour those that had some. Charts and metrics look at these
 * only. Rooms are never deleted, so looking at all of them would cost a process more with every sale that is over.
 */
import type { Clock } from '../platform/clock.ts';
import type { Admissions } from './store/admissions.ts';
import type { Room, Rooms } from './store/rooms.ts';

/** As long as the charts of a room go back. */
export const IN_USE_AFTER_MS = 15 * 60_000;

export interface RoomsInUseOptions {
  rooms: Pick<Rooms, 'findRoom'>;
  admissions: Pick<Admissions, 'listActiveEvents'>;
  /** Only measures durations. */
  clock: Clock;
}

export class RoomsInUse implements Pick<Rooms, 'listRooms'> {
  readonly #options: RoomsInUseOptions;
  /** When each was last seen with visitors. */
  readonly #usedAt = new Map<string, number>();

  constructor(options: RoomsInUseOptions) {
    this.#options = options;
  }

  /** How many rooms are remembered. */
  get size(): number {
    return this.#usedAt.size;
  }

  async listRooms(): Promise<Room[]> {
    const { rooms, admissions, clock } = this.#options;
    const eventIds = await admissions.listActiveEvents();
    const now = clock.now();
    for (const eventId of eventIds) this.#usedAt.set(eventId, now);
    for (const [eventId, usedAt] of this.#usedAt) {
      if (now - usedAt > IN_USE_AFTER_MS) this.#usedAt.delete(eventId);
    }
    const found = await Promise.all([...this.#usedAt.keys()].sort().map((eventId) => rooms.findRoom(eventId)));
    return found.filter((room) => room !== undefined);
  }
}
