/**
 * What the rooms want of gates. All rooms are read again only when the settings of one have changed: gates ask every second, and
 * rooms are never deleted.
 */
import type { Room, Rooms } from '../../line/store/rooms.ts';
import type { Clock } from '../../platform/clock.ts';
import type { GateRooms } from './line-watch.ts';

export interface KnownGateRoomsOptions {
  rooms: Pick<Rooms, 'findRoom' | 'listRooms' | 'countChanges'>;
  toGateRooms: (rooms: readonly Room[]) => GateRooms;
  /** A monotonic clock. */
  clock: Clock;
}

/** Read again even so: a failover of the store may lose changes and the count of them. */
const READ_AGAIN_MS = 60_000;

export class KnownGateRooms {
  readonly #options: KnownGateRoomsOptions;
  #known: { rooms: GateRooms; changes: number; readAt: number } | undefined;

  constructor(options: KnownGateRoomsOptions) {
    this.#options = options;
  }

  /** Throws if the store is away, or in a cluster the server of a room that wants something. */
  async find(): Promise<GateRooms> {
    const { rooms, toGateRooms, clock } = this.#options;
    // Before the rooms: a change in between is then read twice, not missed.
    const changes = await rooms.countChanges();
    const known = this.#known;
    const now = clock.now();
    if (known !== undefined && known.changes === changes && now - known.readAt < READ_AGAIN_MS) {
      await Promise.all(known.rooms.rooms.map(({ eventId }) => rooms.findRoom(eventId)));
      return known.rooms;
    }
    const found = toGateRooms(await rooms.listRooms());
    this.#known = { rooms: found, changes, readAt: now };
    return found;
  }
}
