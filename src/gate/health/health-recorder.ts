/**
 * Counts what a gate sees of the site: responses, errors, latencies. A response to a request with a verified event counts
 * for that event; any other counts for all events. Uses no Node APIs.
 */
import { type HealthReport, LATENCY_BUCKETS, latencyBucketOf } from '../../line/model/site-health.ts';

export interface RoomHealthReport extends HealthReport {
  eventId: string;
}

interface Tally {
  responses: number;
  errors: number;
  latencies: number[];
}

/** Events come from verified tokens; still, a map must have a bound. Beyond it they count for all events. */
const MOST_EVENTS = 1_000;
const ALL = '';

export class HealthRecorder {
  #tallies = new Map<string, Tally>();

  /** `status`: of the site, or of the gate's own response if the site gave none. */
  observe(eventId: string | undefined, status: number, durationMs: number): void {
    const tally = this.#tallyOf(eventId ?? ALL);
    tally.responses += 1;
    if (status >= 500) tally.errors += 1;
    tally.latencies[latencyBucketOf(durationMs)]! += 1;
  }

  /** What was seen since the last call, for each of these events; nothing for events without responses. */
  take(eventIds: Iterable<string>): RoomHealthReport[] {
    const tallies = this.#tallies;
    this.#tallies = new Map();
    const shared = tallies.get(ALL) ?? emptyTally();
    return [...eventIds]
      .map((eventId) => ({ eventId, ...add(tallies.get(eventId), shared) }))
      .filter(({ responses }) => responses > 0);
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
