/**
 * Two sets over all events: the rooms, and the events with visitors in line or inside. They are in other slots than the
 * lines, so plain commands write them, in an order that is safe if the process crashes at any point.
 */
import type { RedisClient } from '../../../platform/redis/scripts.ts';
import { ACTIVE_EVENTS_KEY, ROOM_CHANGES_KEY, ROOMS_KEY } from './scripts/keys.ts';

export class EventIndex {
  readonly #client: RedisClient;

  constructor(client: RedisClient) {
    this.#client = client;
  }

  /** Called before the room is created: an id without a room is skipped, a room without its id would be lost. */
  async addRoom(eventId: string): Promise<void> {
    await this.#client.sadd(ROOMS_KEY, eventId);
  }

  async listRooms(): Promise<string[]> {
    return (await this.#client.smembers(ROOMS_KEY)).sort();
  }

  /** Called after settings were changed, and before the operator gets the response. */
  async noteChange(): Promise<void> {
    await this.#client.incr(ROOM_CHANGES_KEY);
  }

  async countChanges(): Promise<number> {
    return Number((await this.#client.get(ROOM_CHANGES_KEY)) ?? 0);
  }

  async listActive(): Promise<string[]> {
    return (await this.#client.smembers(ACTIVE_EVENTS_KEY)).sort();
  }

  /** Called after a visitor got a place and before they get the response. */
  async markActive(eventId: string): Promise<void> {
    await this.#client.sadd(ACTIVE_EVENTS_KEY, eventId);
  }

  /**
   * Called after the room was found empty. A visitor who joined since is found by `isIdle`, or found the line empty and
   * marks it after this. If the process crashes in between, the next visit repairs the mark.
   */
  async retire(eventId: string, isIdle: () => Promise<boolean>): Promise<void> {
    const wasMarked = (await this.#client.srem(ACTIVE_EVENTS_KEY, eventId)) === 1;
    if (wasMarked && !(await isIdle())) await this.markActive(eventId);
  }
}
