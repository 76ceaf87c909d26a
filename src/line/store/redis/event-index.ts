/**
 * The two sets over all events: which rooms there are, and which have somebody in line or inside. They live in other
 * slots than the lines, so they are written by plain commands, in an order that a crash at any point leaves right.
 */

import { RecentMap } from '../../../platform/collections/recent-map.ts';
import type { RedisClient } from '../../../platform/redis/scripts.ts';
import { ACTIVE_EVENTS_KEY, ROOMS_KEY } from './scripts/keys.ts';

/** How often a process marks an event again that it has reason to believe marked. */
const MARK_EVERY_MS = 1_000;
const REMEMBERED = 10_000;

export class EventIndex {
  readonly #client: RedisClient;
  readonly #markedAt = new RecentMap<number>(REMEMBERED);

  constructor(client: RedisClient) {
    this.#client = client;
  }

  /** Before the room is made: a name without a room is skipped by whoever lists them, a room without its name lost. */
  async addRoom(eventId: string): Promise<void> {
    await this.#client.sadd(ROOMS_KEY, eventId);
  }

  async listRooms(): Promise<string[]> {
    return (await this.#client.smembers(ROOMS_KEY)).sort();
  }

  async listActive(): Promise<string[]> {
    return (await this.#client.smembers(ACTIVE_EVENTS_KEY)).sort();
  }

  /** After somebody got a place and before they are told of it. */
  async markActive(eventId: string): Promise<void> {
    await this.#client.sadd(ACTIVE_EVENTS_KEY, eventId);
  }

  /** For an event that somebody else has marked, unless a crash kept them from it. */
  async keepMarked(eventId: string): Promise<void> {
    const now = performance.now();
    if ((this.#markedAt.get(eventId) ?? Number.NEGATIVE_INFINITY) + MARK_EVERY_MS > now) return;
    this.#markedAt.set(eventId, now);
    await this.markActive(eventId);
  }

  /**
   * After nobody was found in the room. Whoever got a place since is found by `isIdle`, or finds the line empty before
   * them and marks it after this. A crash in between is made good by the next visit.
   */
  async retire(eventId: string, isIdle: () => Promise<boolean>): Promise<void> {
    const wasMarked = (await this.#client.srem(ACTIVE_EVENTS_KEY, eventId)) === 1;
    if (wasMarked && !(await isIdle())) await this.markActive(eventId);
  }
}
