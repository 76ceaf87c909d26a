/**
 * Decides which new visitors join the priority lane. Looks up the membership only of visitors who are new to a room
 * with such a lane. If the lookup fails or times out they join the ordinary lane: a line must not wait for it.
 */
import type { Logger } from 'pino';
import type { Visitor } from '../identity/visitor.ts';
import type { Clock } from '../platform/clock.ts';
import { RecentMap } from '../platform/collections/recent-map.ts';
import { withTimeout } from '../platform/concurrency/with-timeout.ts';
import type { LineMetrics } from './line-metrics.ts';
import type { Crowd } from './model/standing.ts';
import type { Visits } from './store/visits.ts';

/** The port to the member list. */
export interface Members {
  /** `visitor` is a user of the site, never a guest. May fail or be slow. */
  isMember(eventId: string, visitor: string): Promise<boolean>;
}

export interface PriorityOptions {
  /** undefined without memberships: everyone joins the ordinary lane. */
  members: Members | undefined;
  visits: Pick<Visits, 'find'>;
  metrics: Pick<LineMetrics, 'countMemberCheck'>;
  log: Logger;
  clock: Clock;
}

const LOOKUP_TIMEOUT_MS = 1_000;
/** How long a room counts as one without a priority lane; changes must take effect everywhere within 2 s. */
const KNOWN_FOR_MS = 1_000;
const ROOMS_REMEMBERED = 10_000;
const UNUSED_MS = 60_000;
const LOG_EVERY_MS = 10_000;

export class Priority {
  readonly #options: PriorityOptions;
  /** When each room was last seen without a priority lane. In a crowd every join refreshes it, which saves lookups. */
  readonly #plainAt: RecentMap<number>;
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(options: PriorityOptions) {
    this.#options = options;
    this.#plainAt = new RecentMap(ROOMS_REMEMBERED, { unusedMs: UNUSED_MS, now: () => options.clock.now() });
  }

  /** How many rooms are in memory. */
  get size(): number {
    return this.#plainAt.size;
  }

  /** Whether the visitor, if new, joins the priority lane. */
  async goesFirst(eventId: string, visitor: Visitor): Promise<boolean> {
    const { members, visits } = this.#options;
    if (members === undefined || visitor.kind !== 'user' || this.isPlain(eventId)) return false;
    const found = await visits.find(eventId, visitor.id);
    if (found.outcome === 'no-room') return false;
    this.note(eventId, found.crowd);
    // An existing place keeps its lane, so no lookup is needed.
    if (found.crowd.settings.priorityShare === 0 || found.standing.state !== 'absent') return false;
    return this.#lookUp(members, eventId, visitor.id);
  }

  /** Call with the crowd of any store response of the room. */
  note(eventId: string, { settings }: Crowd): void {
    if (settings.priorityShare > 0) this.#plainAt.delete(eventId);
    else if (this.#options.members !== undefined) this.#plainAt.set(eventId, this.#options.clock.now());
  }

  /** Whether the room is known to have no priority lane, without a lookup. */
  isPlain(eventId: string): boolean {
    if (this.#options.members === undefined) return true;
    const at = this.#plainAt.get(eventId);
    return at !== undefined && this.#options.clock.now() < at + KNOWN_FOR_MS;
  }

  async #lookUp(members: Members, eventId: string, visitor: string): Promise<boolean> {
    const { metrics } = this.#options;
    try {
      const isMember = await withTimeout(
        LOOKUP_TIMEOUT_MS,
        members.isMember(eventId, visitor),
        'the membership lookup',
      );
      metrics.countMemberCheck(isMember ? 'member' : 'other');
      return isMember;
    } catch (error) {
      metrics.countMemberCheck('failed');
      this.#logSeldom(error, eventId);
      return false;
    }
  }

  #logSeldom(error: unknown, eventId: string): void {
    const { clock, log } = this.#options;
    if (clock.now() < this.#loggedAt + LOG_EVERY_MS) return;
    this.#loggedAt = clock.now();
    log.warn({ err: error, eventId }, 'membership lookup failed; new visitors join the ordinary lane');
  }
}
