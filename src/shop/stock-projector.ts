/**
 * Writes the stock of events to their lines, for rooms with `followStock`: all of them periodically, and one at once before a
 * buyer's slot is released, so that nobody is admitted for tickets that were just sold. Closes the room of a sale that is over.
 */
import { forEachRoom } from '../line/roles/for-each-room.ts';
import type { Admissions } from '../line/store/admissions.ts';
import type { Room, Rooms } from '../line/store/rooms.ts';
import type { EventStore, SaleOver } from './event-store.ts';

export interface StockProjectorOptions {
  events: Pick<EventStore, 'readStock' | 'readOver'>;
  rooms: Pick<Rooms, 'findRoom' | 'putStock' | 'putRoom'>;
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
    if (room === undefined) return;
    if (!room.crowd.settings.followStock) return this.#closeIfOver(room, await this.#events.readOver(eventId));
    const found = await this.#events.readStock(eventId);
    if (found === undefined) return;
    const { over, ...report } = found;
    await this.#rooms.putStock(eventId, report);
    await this.#closeIfOver(room, over);
  }

  async #closeIfOver({ eventId, crowd }: Room, over: SaleOver): Promise<void> {
    if (over !== null && crowd.phase !== 'closed') await this.#rooms.putRoom(eventId, { state: 'closed' });
  }
}
