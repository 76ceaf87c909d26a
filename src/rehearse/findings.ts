/** Records what visitors observe. verdict.ts evaluates it afterwards. */
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

export class Findings {
  readonly stories: Story[];
  readonly samples: RoomSample[] = [];
  /** Response times in ms. */
  readonly delays: number[] = [];
  /** The first distinct problems, with their counts. */
  readonly problems = new Map<string, number>();
  requests = 0;
  retries = 0;
  errors = 0;
  /** Places that disappeared or changed their number without an action of the visitor. */
  lostPlaces = 0;
  /** Maximum number of visitors inside above the limit. */
  overshoot = 0;
  finished = 0;
  readonly #startedAt: number;
  /** Visitors who know that they are inside. */
  #inside = 0;
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

  noteRequest(result: SendResult): void {
    this.requests += 1;
    this.retries += result.retries;
    this.delays.push(result.answeredAt - result.sentAt);
  }

  noteError(problem: string): void {
    this.errors += 1;
    this.#keep(problem);
  }

  noteLostPlace(problem: string): void {
    this.lostPlaces += 1;
    this.#keep(problem);
  }

  noteInside(by: 1 | -1): void {
    this.#inside += by;
    // Compared with the highest limit, so that a change of the limit is no overshoot.
    if (this.#highestLimit > 0) this.overshoot = Math.max(this.overshoot, this.#inside - this.#highestLimit);
  }

  /** From any response that includes the state of the room. */
  noteRoom(room: { waiting: unknown; inside: unknown; limit: unknown }, at: number): void {
    const { waiting, inside, limit } = room;
    if (!isCount(waiting) || !isCount(inside) || !isCount(limit)) return;
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
