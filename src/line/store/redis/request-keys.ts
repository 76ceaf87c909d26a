/**
 * The owner of each visitor's request key over all events: a key used for one event must not be accepted for another. The
 * owner is outside the events' slots, so it is written before the join, not with it. If the join then fails, the key can
 * be used to retry it.
 */
import { RecentMap } from '../../../platform/collections/recent-map.ts';
import type { RedisClient } from '../../../platform/redis/scripts.ts';
import { lineKeys, requestKey } from './scripts/keys.ts';
import { noteRequest } from './scripts/note-request.ts';

export interface RequestKeysOptions {
  client: RedisClient;
  /** The clock; that of the Redis server if absent. */
  now?: (() => number) | undefined;
}

const ROOMS_REMEMBERED = 10_000;

export class RequestKeys {
  readonly #client: RedisClient;
  readonly #now: (() => number) | undefined;
  /** Rooms are never deleted, so this cache needs no expiry. */
  readonly #rooms = new RecentMap<true>(ROOMS_REMEMBERED);

  constructor({ client, now }: RequestKeysOptions) {
    this.#client = client;
    this.#now = now;
  }

  /** Returns `no-room` before it writes anything: unknown events create no key (invariant 9). */
  async note(eventId: string, requestId: string, fingerprint: string): Promise<'noted' | 'key-reused' | 'no-room'> {
    if (!(await this.#isRoom(eventId))) return 'no-room';
    const key = requestKey(requestId);
    const owner = await noteRequest(this.#client, { key, fingerprint, now: this.#now?.() });
    return owner === fingerprint ? 'noted' : 'key-reused';
  }

  async #isRoom(eventId: string): Promise<boolean> {
    if (this.#rooms.get(eventId)) return true;
    const [room] = lineKeys(eventId);
    const isThere = (await this.#client.exists(room!)) === 1;
    if (isThere) this.#rooms.set(eventId, true);
    return isThere;
  }
}
