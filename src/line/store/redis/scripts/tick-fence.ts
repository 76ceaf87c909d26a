/**
 * Recognizes replies of a server that is behind. A master of a cluster that was stopped and resumes does not know yet that
 * a replica has taken its place, and answers from its old state. Every reply tells when the line last ticked: if that is
 * before what this process knew when it sent the call, the server is not the one that has ticked since.
 */
import type { Logger } from 'pino';
import { type Clock, stopwatch } from '../../../../platform/clock.ts';
import { RecentMap } from '../../../../platform/collections/recent-map.ts';

/** The last tick that a server knows. */
export interface TickSeen {
  /** Of the room; absent in a pulse. */
  epoch?: string;
  tickedAt: number;
}

interface Known {
  epoch: string | undefined;
  tickedAt: number;
  /** Since when only older replies come, by the local stopwatch. */
  behindSince: number | undefined;
}

const EVENTS_REMEMBERED = 10_000;
/**
 * A stopped master learns of its successor within milliseconds after it resumed. When older replies go on for longer, the
 * newer state is gone: a failover lost it.
 */
const BEHIND_AT_MOST_MS = 2_000;

export class TickFence {
  readonly #known = new RecentMap<Known>(EVENTS_REMEMBERED);
  readonly #log: Pick<Logger, 'warn'>;
  readonly #clock: Clock;

  constructor(log: Pick<Logger, 'warn'>, clock: Clock = stopwatch) {
    this.#log = log;
    this.#clock = clock;
  }

  /** The last tick known when a call is sent; its reply must not be older. Replies may overtake each other afterwards. */
  lastTick(eventId: string): number {
    return this.#known.get(eventId)?.tickedAt ?? 0;
  }

  /** Whether a reply to a call that was sent when `sentAfter` was the last tick may be used. */
  accepts(eventId: string, sentAfter: number, seen: TickSeen): boolean {
    const known = this.#known.get(eventId);
    if (known === undefined || isOtherRoom(known, seen)) return this.#know(eventId, seen);
    if (seen.tickedAt >= sentAfter) {
      known.behindSince = undefined;
      known.epoch ??= seen.epoch;
      known.tickedAt = Math.max(known.tickedAt, seen.tickedAt);
      return true;
    }
    const now = this.#clock.now();
    known.behindSince ??= now;
    if (now - known.behindSince < BEHIND_AT_MOST_MS) return false;
    const lostMs = known.tickedAt - seen.tickedAt;
    this.#log.warn({ eventId, lostMs }, 'the line is in an earlier state: a failover of Redis lost its last changes');
    return this.#know(eventId, seen);
  }

  #know(eventId: string, { epoch, tickedAt }: TickSeen): true {
    this.#known.set(eventId, { epoch, tickedAt, behindSince: undefined });
    return true;
  }
}

/** A room that was lost and created again starts without a tick. */
function isOtherRoom(known: Known, seen: TickSeen): boolean {
  return known.epoch !== undefined && seen.epoch !== undefined && known.epoch !== seen.epoch;
}
