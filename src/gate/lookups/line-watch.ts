/**
 * Watches whether the line can be asked, and remembers what its rooms want of gates. A gate that cannot reach the line
 * any more goes on by what it knew last. Uses no Node APIs.
 */
import type { RoomSettings } from '../../line/model/room-settings.ts';
import { LineStatusError } from './line-client.ts';

export type FailOpenSetting = NonNullable<RoomSettings['failOpen']>;

/** A room that wants something of gates. */
export interface GateRoom {
  eventId: string;
  failOpen?: FailOpenSetting;
  /** Whether gates report what they see of the site. */
  followsHealth: boolean;
  /** With followsHealth: the latency from which a request is slow. */
  slowMs?: number;
}

export interface GateRooms {
  /** Changes with the rooms. */
  revision: string;
  rooms: readonly GateRoom[];
}

export interface LineWatchOptions {
  /** undefined: nothing has changed since `revision`. Throws if the line cannot be asked. */
  fetchRooms: (revision: string | undefined) => Promise<GateRooms | undefined>;
  /** A monotonic clock in ms. */
  now: () => number;
  /** Called after every look, and told whether the line was reached. Must not throw. */
  onLooked?: (isReached: boolean) => Promise<void> | void;
  /** Told once if the line answers, but refuses the question: a wrong key, or no line at this URL. */
  onRefused?: (error: Error) => void;
}

export const LOOK_EVERY_MS = 1_000;
/** One failure may be the fault of this process: a request that was under way while it stood still. */
const FAILURES_TO_BE_DOWN = 2;
/** A look that seems to have taken longer says that this process stood still. */
const LONGEST_LOOK_MS = 3_000;

export class LineWatch {
  readonly #options: LineWatchOptions;
  #rooms: ReadonlyMap<string, GateRoom> = new Map();
  #revision: string | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;
  #failures = 0;
  #failingSince = 0;
  #wasRefused = false;

  constructor(options: LineWatchOptions) {
    this.#options = options;
  }

  find(eventId: string): GateRoom | undefined {
    return this.#rooms.get(eventId);
  }

  rooms(): Iterable<GateRoom> {
    return this.#rooms.values();
  }

  /** Since when the line cannot be asked, by the monotonic clock; undefined while it can. */
  downSince(): number | undefined {
    return this.#failures < FAILURES_TO_BE_DOWN ? undefined : this.#failingSince;
  }

  /** Looks in the background if the last look is old enough. Cheap: adapters without a timer call it per request. */
  touch(): void {
    if (this.#looking === undefined && this.#options.now() - this.#lookedAt >= LOOK_EVERY_MS) void this.look();
  }

  /** One look. Never throws. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { fetchRooms, now, onLooked } = this.#options;
    const startedAt = now();
    this.#lookedAt = startedAt;
    let isReached = true;
    try {
      this.#remember(await fetchRooms(this.#revision));
    } catch (error) {
      isReached = this.#isAnswer(error as Error);
    }
    if (!isReached && this.#failures === 0) this.#failingSince = Math.max(startedAt, now() - LONGEST_LOOK_MS);
    this.#failures = isReached ? 0 : this.#failures + 1;
    await onLooked?.(isReached);
  }

  #remember(fetched: GateRooms | undefined): void {
    this.#wasRefused = false;
    if (fetched === undefined) return;
    this.#revision = fetched.revision;
    this.#rooms = new Map(fetched.rooms.map((room) => [room.eventId, room]));
  }

  /** A refusal is an answer: a mistake in the settings must not open the gate. */
  #isAnswer(error: Error): boolean {
    if (!(error instanceof LineStatusError) || error.status >= 500) return false;
    if (!this.#wasRefused) this.#options.onRefused?.(error);
    this.#wasRefused = true;
    return true;
  }
}
