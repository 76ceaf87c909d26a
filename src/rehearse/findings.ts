/** What the crowd saw, put down as it happens; what follows from it is worked out afterwards. */
import type { Fate } from '../simulate/sale.ts';
import type { AskResult } from './client.ts';

/** One visitor's story. Times are milliseconds since the rehearsal began. */
export interface Story {
  joinSentAt: number | undefined;
  joinAnsweredAt: number | undefined;
  number: number | undefined;
  /** When the last question was sent to which the answer was: still waiting. */
  lastWaitingAt: number | undefined;
  /** When they heard that they are inside. */
  insideAt: number | undefined;
  /** When they were let in by the server's account, in its seconds since 1970; undefined if it does not tell. */
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

/** As the server counts. */
export interface RoomSample {
  atMs: number;
  waiting: number;
  inside: number;
  limit: number;
}

const SAMPLE_EVERY_MS = 500;
const PROBLEMS_KEPT = 20;

export class Findings {
  readonly stories: Story[];
  readonly samples: RoomSample[] = [];
  /** How long answers took, in ms. */
  readonly delays: number[] = [];
  /** The first few, by what they say, with how often each was met. */
  readonly problems = new Map<string, number>();
  requests = 0;
  retries = 0;
  errors = 0;
  /** Places that were gone, or had another number, without the visitor's doing. */
  lostPlaces = 0;
  /** The most over the limit that were inside, as the server said. */
  overshoot = 0;
  finished = 0;
  readonly #startedAt: number;
  /** How many know that they are inside. */
  #inside = 0;
  #highestLimit = 0;
  /** How many might be inside, going by the limits told so far. */
  #allowed = 0;

  constructor(visitors: number, startedAt: number) {
    this.stories = Array.from({ length: visitors }, newStory);
    this.#startedAt = startedAt;
  }

  since(at: number): number {
    return at - this.#startedAt;
  }

  noteRequest(result: AskResult): void {
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
    // Only what no change of the limit can explain.
    if (this.#highestLimit > 0) this.overshoot = Math.max(this.overshoot, this.#inside - this.#highestLimit);
  }

  /** From any answer that tells how the room stands. */
  noteRoom(room: { waiting: unknown; inside: unknown; limit: unknown }, at: number): void {
    const { waiting, inside, limit } = room;
    if (!isCount(waiting) || !isCount(inside) || !isCount(limit)) return;
    this.#highestLimit = Math.max(this.#highestLimit, limit);
    if (inside > Math.max(limit, this.#allowed)) {
      this.overshoot = Math.max(this.overshoot, inside - limit);
      this.#keep(`${inside} were inside with a limit of ${limit}`);
    }
    // Lowering the limit puts nobody out: those who were inside may stay, and nobody may follow them.
    this.#allowed = Math.max(limit, Math.min(this.#allowed, inside));
    const last = this.samples.at(-1);
    if (last === undefined || this.since(at) - last.atMs >= SAMPLE_EVERY_MS) {
      this.samples.push({ atMs: this.since(at), waiting, inside, limit });
    }
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
