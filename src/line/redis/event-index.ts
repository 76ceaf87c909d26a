/**
 * The two sets over all events: which rooms there are, and which have somebody in line or inside. They live in other
 * slots than the lines, so they are written by plain commands, in an order that a crash at any point leaves right.
 */

import type { RedisClient } from '../../platform/redis/scripts.ts';
import { ACTIVE_EVENTS_KEY, ROOMS_KEY } from './keys.ts';

export class EventIndex {
  readonly #client: RedisClient;

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

  /**
   * After nobody was found in the room. Whoever got a place since has marked the event before this, and is found by
   * `isIdle`, or will mark it after this. A crash in between is made good by the next visit.
   */
  async retire(eventId: string, isIdle: () => Promise<boolean>): Promise<void> {
    const wasMarked = (await this.#client.srem(ACTIVE_EVENTS_KEY, eventId)) === 1;
    if (wasMarked && !(await isIdle())) await this.markActive(eventId);
  }
}
