/**
 * Writes the stock of events to their lines, for rooms with `followStock`: all of them periodically, and one at once before a
 * buyer's slot is released, so that nobody is admitted for tickets that were just sold.
 */
import { forEachRoom } from '../line/roles/for-each-room.ts';
import type { Admissions } from '../line/store/admissions.ts';
import type { Rooms } from '../line/store/rooms.ts';
import type { EventStore } from './event-store.ts';

export interface StockProjectorOptions {
  events: Pick<EventStore, 'readStock'>;
  rooms: Pick<Rooms, 'findRoom' | 'putStock'>;
  admissions: Pick<Admissions, 'listActiveEvents'>;
}

export class StockProjector {
  readonly #events: StockProjectorOptions['events'];
  readonly #rooms: StockProjectorOptions['rooms'];
  readonly #admissions: StockProjectorOptions['admissions'];

  constructor({ events, rooms, admissions }: StockProjectorOptions) {
    this.#events = events;
    this.#rooms = rooms;
    this.#admissions = admissions;
  }

  /** One pass of the loop over all rooms. */
  async runOnce(): Promise<'done' | 'again'> {
    return forEachRoom(await this.#admissions.listActiveEvents(), async (eventId) => {
      await this.project(eventId);
      return false;
    });
  }

  /** Writes nothing for an event that the shop does not have; its line then admits nobody. */
  async project(eventId: string): Promise<void> {
    const room = await this.#rooms.findRoom(eventId);
    if (!room?.crowd.settings.followStock) return;
    const report = await this.#events.readStock(eventId);
    if (report !== undefined) await this.#rooms.putStock(eventId, report);
  }
}
