/**
 * Keeps the last minutes of every room, so that an operator who opens the page, or reloads it, sees where it came from.
 * Reads all rooms once per pass, however many wait in them or watch.
 */
import type { Totals } from '../line/model/line.ts';
import type { Room, Rooms } from '../line/store/rooms.ts';
import { type Sample, toSample } from './sample.ts';
import { type Flow, Series } from './series.ts';

export interface RecorderOptions {
  rooms: Pick<Rooms, 'listRooms'>;
  tickMs: number;
  now: () => number;
}

/** Some 10 MB in all; of more rooms, those with the most people are kept. */
const MOST_ROOMS = 200;

interface Recorded {
  series: Series;
  at: number;
  totals: Totals;
}

export class Recorder {
  readonly #options: RecorderOptions;
  #rooms = new Map<string, Recorded>();

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  async runOnce(): Promise<'done'> {
    const rooms = (await this.#options.rooms.listRooms()).sort((a, b) => peopleIn(b) - peopleIn(a));
    const at = this.#options.now();
    this.#rooms = new Map(rooms.slice(0, MOST_ROOMS).map((room) => [room.eventId, this.#record(room, at)]));
    return 'done';
  }

  /** The oldest first; nothing of a room that is not kept. */
  since(eventId: string, at: number): Sample[] {
    return this.#rooms.get(eventId)?.series.since(at) ?? [];
  }

  flow(eventId: string, ms: number): Flow {
    return this.#rooms.get(eventId)?.series.flow(ms) ?? { admitted: 0, noShows: 0, seconds: 0 };
  }

  #record({ eventId, crowd, totals }: Room, at: number): Recorded {
    const known = this.#rooms.get(eventId);
    const series = known?.series ?? new Series();
    series.push(toSample({ at, crowd, totals, before: known, tickMs: this.#options.tickMs }));
    return { series, at, totals };
  }
}

function peopleIn({ crowd }: Room): number {
  return crowd.waiting + crowd.admitted + crowd.active;
}
