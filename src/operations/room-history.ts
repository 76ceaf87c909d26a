/**
 * Keeps recent samples of every room in use, so the charts of the admin page have data from the first view. One pass reads each
 * of them once; its cost does not depend on the number of visitors or operators.
 */
import type { Totals } from '../line/model/line.ts';
import type { Room, Rooms } from '../line/store/rooms.ts';
import { type Sample, toSample } from './room-sample.ts';
import { type Flow, SampleWindow } from './sample-window.ts';

export interface RoomHistoryOptions {
  rooms: Pick<Rooms, 'listRooms'>;
  tickMs: number;
  now: () => number;
}

/** About 10 MB in total. Beyond that, keeps the rooms with the most visitors. */
const MOST_ROOMS = 200;

interface Recorded {
  series: SampleWindow;
  at: number;
  totals: Totals;
}

export class RoomHistory {
  readonly #options: RoomHistoryOptions;
  #rooms = new Map<string, Recorded>();

  constructor(options: RoomHistoryOptions) {
    this.#options = options;
  }

  async runOnce(): Promise<'done'> {
    const rooms = (await this.#options.rooms.listRooms()).sort((a, b) => peopleIn(b) - peopleIn(a));
    const at = this.#options.now();
    this.#rooms = new Map(rooms.slice(0, MOST_ROOMS).map((room) => [room.eventId, this.#record(room, at)]));
    return 'done';
  }

  /** Oldest first; empty for a room that is not kept. */
  since(eventId: string, at: number): Sample[] {
    return this.#rooms.get(eventId)?.series.since(at) ?? [];
  }

  flow(eventId: string, ms: number): Flow {
    return this.#rooms.get(eventId)?.series.flow(ms) ?? { admitted: 0, noShows: 0, seconds: 0 };
  }

  #record({ eventId, crowd, totals }: Room, at: number): Recorded {
    const known = this.#rooms.get(eventId);
    const series = known?.series ?? new SampleWindow();
    series.push(toSample({ at, crowd, totals, before: known, tickMs: this.#options.tickMs }));
    return { series, at, totals };
  }
}

function peopleIn({ crowd }: Room): number {
  return crowd.waiting + crowd.admitted + crowd.active;
}
