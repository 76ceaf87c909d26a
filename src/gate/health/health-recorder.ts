/**
 * Counts what a gate sees of one site: responses, errors, latencies. A response to a request with a verified event counts
 * for that event; any other counts for all events. Uses no Node APIs.
 */
import { type HealthReport, LATENCY_BUCKETS, latencyBucketOf } from '../../line/model/site-health.ts';
import { RecentMap } from '../../platform/collections/recent-map.ts';

export interface RoomHealthReport extends HealthReport {
  eventId: string;
}

interface Tally {
  responses: number;
  errors: number;
  latencies: number[];
}

/** A request that the site has not answered yet. */
interface Pending {
  eventId: string;
  startedAt: number;
  /** It has been slow for so long that it was counted before its response came. */
  isCounted: boolean;
}

/** What a room wants to know. */
export interface FollowedRoom {
  eventId: string;
  /** A request that takes longer is slow: it counts even before its response. A site that hangs would else go unnoticed. */
  slowMs: number;
}

/** More than a gate forwards at once. */
const MOST_PENDING = 20_000;
/** Events come from verified tokens; still, a map must have a bound. Beyond it they count for all events. */
const MOST_EVENTS = 1_000;
const ALL = '';
const REMEMBERED_EVENTS = 2 * MOST_EVENTS;

export class HealthRecorder {
  #tallies = new Map<string, Tally>();
  /** By request, the oldest first. */
  readonly #pending = new Map<object, Pending>();
  readonly #seen = new RecentMap<true>(REMEMBERED_EVENTS);

  /** Whether a request with this event went to the site. */
  hasSeen(eventId: string): boolean {
    return this.#seen.get(eventId) === true;
  }

  /** A request goes to the site. `observe` or `forget` must follow with the same key. */
  begin(key: object, eventId: string | undefined, now: number): void {
    if (this.#pending.size >= MOST_PENDING) return;
    this.#pending.set(key, { eventId: eventId ?? ALL, startedAt: now, isCounted: false });
  }

  /** The request is over; if it got no response, the visitor did not wait for it. */
  forget(key: object): void {
    this.#pending.delete(key);
  }

  /** `status`: of the site, or of the gate's own response if the site gave none. */
  observe(key: object, eventId: string | undefined, status: number, durationMs: number): void {
    const isCounted = this.#pending.get(key)?.isCounted === true;
    this.#pending.delete(key);
    if (eventId !== undefined && !this.hasSeen(eventId)) this.#seen.set(eventId, true);
    if (!isCounted || status >= 500) this.#count(eventId ?? ALL, status, durationMs);
  }

  /** What was seen since the last call, for each of these events; nothing for events without responses. */
  take(rooms: readonly FollowedRoom[], now: number): RoomHealthReport[] {
    this.#countSlow(rooms, now);
    const tallies = this.#tallies;
    this.#tallies = new Map();
    const shared = tallies.get(ALL) ?? emptyTally();
    return rooms
      .map(({ eventId }) => ({ eventId, ...add(tallies.get(eventId), shared) }))
      .filter(({ responses }) => responses > 0);
  }

  #countSlow(rooms: readonly FollowedRoom[], now: number): void {
    const limits = new Map(rooms.map(({ eventId, slowMs }) => [eventId, slowMs]));
    // For requests that count for all events: not slow for any room before it is slow for every room.
    const longest = Math.max(0, ...limits.values());
    for (const pending of this.#pending.values()) {
      const ageMs = now - pending.startedAt;
      if (pending.isCounted || rooms.length === 0 || ageMs <= (limits.get(pending.eventId) ?? longest)) continue;
      pending.isCounted = true;
      this.#count(pending.eventId, 200, ageMs);
    }
  }

  #count(eventId: string, status: number, durationMs: number): void {
    const tally = this.#tallyOf(eventId);
    tally.responses += 1;
    if (status >= 500) tally.errors += 1;
    tally.latencies[latencyBucketOf(durationMs)]! += 1;
  }

  #tallyOf(eventId: string): Tally {
    const known = this.#tallies.get(eventId);
    if (known !== undefined) return known;
    if (eventId !== ALL && this.#tallies.size >= MOST_EVENTS) return this.#tallyOf(ALL);
    const tally = emptyTally();
    this.#tallies.set(eventId, tally);
    return tally;
  }
}

function emptyTally(): Tally {
  return { responses: 0, errors: 0, latencies: new Array<number>(LATENCY_BUCKETS).fill(0) };
}

function add(own: Tally | undefined, shared: Tally): Tally {
  if (own === undefined) return shared;
  return {
    responses: own.responses + shared.responses,
    errors: own.errors + shared.errors,
    latencies: own.latencies.map((count, bucket) => count + shared.latencies[bucket]!),
  };
}
