/**
 * Who of those who join goes to the lane that goes first. Asks who is a member only for newcomers to a room that has such a
 * lane; whoever cannot be told in time stands in the ordinary one, because a line must not wait for a list of members.
 */
import type { Logger } from 'pino';
import type { Visitor } from '../identity/visitor.ts';
import type { Clock } from '../platform/clock.ts';
import { withTimeout } from '../platform/concurrency/with-timeout.ts';
import type { LineMetrics } from './line-metrics.ts';
import type { Members } from './members.ts';
import type { Crowd } from './model/standing.ts';
import type { LineStore } from './store/line-store.ts';

export interface PriorityOptions {
  /** undefined where there are no memberships: then nobody goes first, and nobody is asked. */
  members: Members | undefined;
  store: Pick<LineStore, 'find'>;
  metrics: Pick<LineMetrics, 'countMemberCheck'>;
  log: Logger;
  clock: Clock;
}

const ANSWER_WITHIN_MS = 1_000;
/** So long a room that was seen without a lane counts as one; a change is to be seen everywhere within 2 s. */
const KNOWN_FOR_MS = 1_000;
const LOG_EVERY_MS = 10_000;

export class Priority {
  readonly #options: PriorityOptions;
  /** When each room was last seen to have no lane. In a crowd each join tells it, so that nobody has to ask. */
  readonly #plainAt = new Map<string, number>();
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(options: PriorityOptions) {
    this.#options = options;
  }

  /** Whether the visitor, if they get a place now, is to go first. */
  async goesFirst(eventId: string, visitor: Visitor): Promise<boolean> {
    const { members, store } = this.#options;
    if (members === undefined || visitor.kind !== 'user' || this.isPlain(eventId)) return false;
    const found = await store.find(eventId, visitor.id);
    if (found.outcome === 'no-room') return false;
    this.note(eventId, found.crowd);
    // Who has a place keeps it as it is, so there is nothing to ask.
    if (found.crowd.settings.priorityShare === 0 || found.standing.state !== 'absent') return false;
    return this.#ask(members, eventId, visitor.id);
  }

  /** What a store said of the room to anybody. */
  note(eventId: string, { settings }: Crowd): void {
    if (settings.priorityShare > 0) this.#plainAt.delete(eventId);
    else if (this.#options.members !== undefined) this.#plainAt.set(eventId, this.#options.clock.now());
  }

  /** Whether nobody goes first in this room, as far as is known without asking. */
  isPlain(eventId: string): boolean {
    if (this.#options.members === undefined) return true;
    const at = this.#plainAt.get(eventId);
    return at !== undefined && this.#options.clock.now() < at + KNOWN_FOR_MS;
  }

  async #ask(members: Members, eventId: string, visitor: string): Promise<boolean> {
    const { metrics } = this.#options;
    try {
      const isMember = await withTimeout(ANSWER_WITHIN_MS, members.isMember(eventId, visitor), 'the list of members');
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
    log.warn({ err: error, eventId }, 'who is a member could not be told; newcomers stand in the ordinary lane');
  }
}
