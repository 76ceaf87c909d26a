/** Records what the visitors of one process observe. verdict.ts evaluates it afterwards. */
import { Histogram } from '../platform/collections/histogram.ts';
import type { Fate } from '../simulate/sale.ts';
import type { SendResult } from './client.ts';

/** What one visitor observed. Times are milliseconds since the rehearsal started. */
export interface Story {
  joinSentAt: number | undefined;
  joinAnsweredAt: number | undefined;
  number: number | undefined;
  /** When the last request was sent whose response was: still waiting. */
  lastWaitingAt: number | undefined;
  /** When they learned that they are inside. */
  insideAt: number | undefined;
  /** From when on another visitor may have the slot. */
  leftAt: number | undefined;
  /** When the server admitted them, in its Unix seconds; undefined if unknown. */
  admittedAtSeconds: number | undefined;
  fate: Fate;
  seats: number;
}

export const newStory = (): Story => ({
  joinSentAt: undefined,
  joinAnsweredAt: undefined,
  number: undefined,
  lastWaitingAt: undefined,
  insideAt: undefined,
  leftAt: undefined,
  admittedAtSeconds: undefined,
  fate: 'absent',
  seats: 0,
});

/** The room as reported by the server. */
export interface RoomSample {
  atMs: number;
  waiting: number;
  inside: number;
  limit: number;
}

const SAMPLE_EVERY_MS = 500;
const PROBLEMS_KEPT = 20;
/** How long a process may take to apply a change of the room, and so to report it. */
const SETTLE_MS = 2_000;

/**
 * Durations in ms. `request`: of all requests, from when each was due; `join` and `poll`: of these alone; `news`: from an
 * admission, by the server's clock, until a visitor on a stream learned of it.
 */
export const timeKinds = ['request', 'join', 'poll', 'news'] as const;
export type TimeKind = (typeof timeKinds)[number];
export type RequestKind = 'join' | 'poll';
export type Times = Readonly<Record<TimeKind, Histogram>>;

export const newTimes = (): Times => ({
  request: new Histogram(),
  join: new Histogram(),
  poll: new Histogram(),
  news: new Histogram(),
});

/** What was found, by one process or by all. */
export interface FindingsRecord {
  readonly stories: readonly Story[];
  readonly samples: readonly RoomSample[];
  /** Each limit that was higher than all before, from when it was reported. */
  readonly raises: readonly Pick<RoomSample, 'atMs' | 'limit'>[];
  readonly times: Times;
  /** The first distinct problems, with their counts. */
  readonly problems: ReadonlyMap<string, number>;
  readonly requests: number;
  readonly retries: number;
  readonly errors: number;
  readonly lostPlaces: number;
  readonly overshoot: number;
  readonly finished: number;
}

export class Findings implements FindingsRecord {
  readonly stories: Story[];
  readonly samples: RoomSample[] = [];
  readonly raises: Pick<RoomSample, 'atMs' | 'limit'>[] = [];
  readonly times = newTimes();
  /** The first distinct problems, with their counts. */
  readonly problems = new Map<string, number>();
  requests = 0;
  retries = 0;
  errors = 0;
  /** Places that disappeared or changed their number without an action of the visitor. */
  lostPlaces = 0;
  /** Maximum number of visitors inside above the limit, by what the server reported. */
  overshoot = 0;
  finished = 0;
  readonly #startedAt: number;
  #highestLimit = 0;
  /** How many may be inside, by the limits reported so far: the last value, and the highest of a period and the one before. */
  #allowed = { from: 0, last: 0, highest: 0, before: 0 };

  constructor(visitors: number, startedAt: number) {
    this.stories = Array.from({ length: visitors }, newStory);
    this.#startedAt = startedAt;
  }

  since(at: number): number {
    return at - this.#startedAt;
  }

  noteRequest(result: SendResult, { dueAt, kind }: { dueAt: number; kind: RequestKind | undefined }): void {
    this.retries += result.retries;
    this.noteResponse(result.answeredAt, { dueAt, kind });
  }

  noteResponse(answeredAt: number, { dueAt, kind }: { dueAt: number; kind: RequestKind | undefined }): void {
    this.requests += 1;
    this.times.request.record(answeredAt - dueAt);
    if (kind !== undefined) this.times[kind].record(answeredAt - dueAt);
  }

  noteError(problem: string): void {
    this.errors += 1;
    this.#keep(problem);
  }

  noteLostPlace(problem: string): void {
    this.lostPlaces += 1;
    this.#keep(problem);
  }

  /** From any response that includes the state of the room. */
  noteRoom(room: { waiting: unknown; inside: unknown; limit: unknown }, at: number): void {
    const { waiting, inside, limit } = room;
    if (!isCount(waiting) || !isCount(inside) || !isCount(limit)) return;
    if (limit > this.#highestLimit) this.raises.push({ atMs: this.since(at), limit });
    this.#highestLimit = Math.max(this.#highestLimit, limit);
    const most = Math.max(limit, this.#allowedAt(at));
    if (inside > most) {
      this.overshoot = Math.max(this.overshoot, inside - limit);
      this.#keep(`${inside} visitors inside with a limit of ${limit}`);
    }
    // After the limit was lowered, visitors inside may stay, but no more may enter.
    this.#allowed.last = Math.max(limit, Math.min(most, inside));
    this.#allowed.highest = Math.max(this.#allowed.highest, this.#allowed.last);
    const last = this.samples.at(-1);
    if (last === undefined || this.since(at) - last.atMs >= SAMPLE_EVERY_MS) {
      this.samples.push({ atMs: this.since(at), waiting, inside, limit });
    }
  }

  /** Responses overtake each other, and some tell of a moment ago: after the limit was lowered, one may report more visitors. */
  #allowedAt(at: number): number {
    const { from, last, highest } = this.#allowed;
    const passed = at - from;
    if (passed > SETTLE_MS) {
      this.#allowed = { from: at, last, highest: last, before: passed > 2 * SETTLE_MS ? last : highest };
    }
    return Math.max(this.#allowed.highest, this.#allowed.before);
  }

  #keep(problem: string): void {
    if (this.problems.has(problem) || this.problems.size < PROBLEMS_KEPT) {
      this.problems.set(problem, (this.problems.get(problem) ?? 0) + 1);
    }
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
