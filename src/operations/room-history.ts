/**
 * Keeps recent samples of every room in use, so the charts of the admin page have data from the first view. One pass reads each
 * of them once; its cost does not depend on the number of visitors or operators.
 */
import type { Totals } from '../line/model/line.ts';
import type { Room, Rooms } from '../line/store/rooms.ts';
import { LongSeries } from './long-series.ts';
import { type Sample, toSample } from './room-sample.ts';
import { type Flow, SampleWindow } from './sample-window.ts';
import type { Span } from './spans.ts';

export interface RoomHistoryOptions {
  rooms: Pick<Rooms, 'listRooms'>;
  tickMs: number;
  now: () => number;
}

/** About 30 MB in total. Beyond that, keeps the rooms with the most visitors. */
const MOST_ROOMS = 200;
const HOUR = { stepMs: 10_000, kept: 360, whenFull: 'forget' } as const;
const SALE = { stepMs: 20_000, kept: 720, whenFull: 'merge' } as const;
/** Points of the trend on the overview. */
const TREND_POINTS = 45;

interface Recorded {
  series: SampleWindow;
  hour: LongSeries;
  sale: LongSeries;
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
  since(eventId: string, at: number, span: Span = 'live'): Sample[] {
    const room = this.#rooms.get(eventId);
    if (room === undefined) return [];
    return { live: room.series, hour: room.hour, sale: room.sale }[span].since(at);
  }

  /** How many waited in the last 15 minutes, at a few points, oldest first. */
  trend(eventId: string): number[] {
    const waiting = this.since(eventId, 0).map((sample) => sample.waiting);
    const step = Math.max(1, Math.ceil(waiting.length / TREND_POINTS));
    return waiting.filter((_, i) => (waiting.length - 1 - i) % step === 0);
  }

  flow(eventId: string, ms: number): Flow {
    return this.#rooms.get(eventId)?.series.flow(ms) ?? { admitted: 0, noShows: 0, seconds: 0 };
  }

  #record({ eventId, crowd, totals }: Room, at: number): Recorded {
    const known = this.#rooms.get(eventId);
    const series = known?.series ?? new SampleWindow();
    const hour = known?.hour ?? new LongSeries(HOUR);
    const sale = known?.sale ?? new LongSeries(SALE);
    const sample = toSample({ at, crowd, totals, before: known, tickMs: this.#options.tickMs });
    for (const kept of [series, hour, sale]) kept.push(sample);
    return { series, hour, sale, at, totals };
  }
}

function peopleIn({ crowd }: Room): number {
  return crowd.waiting + crowd.admitted + crowd.active;
}
