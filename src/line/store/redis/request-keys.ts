/**
 * What each visitor's keys are used for, over all events: a key that came with one event must not be good for another.
 * It lives outside the events' slots, so it is noted before the join and not with it; a join that fails then leaves a
 * key that is good for trying it again.
 */
import type { RedisClient } from '../../../platform/redis/scripts.ts';
import { lineKeys, requestKey } from './scripts/keys.ts';
import { noteRequest } from './scripts/note-request.ts';

export interface RequestKeysOptions {
  client: RedisClient;
  /** Where the time comes from; the server's own clock if absent. */
  now?: (() => number) | undefined;
}

export class RequestKeys {
  readonly #client: RedisClient;
  readonly #now: (() => number) | undefined;
  /** Rooms are never unmade, so one that was there once is there. */
  readonly #rooms = new Set<string>();

  constructor({ client, now }: RequestKeysOptions) {
    this.#client = client;
    this.#now = now;
  }

  /** `no-room` before anything is noted: unknown events leave no trace. */
  async note(eventId: string, requestId: string, fingerprint: string): Promise<'noted' | 'key-reused' | 'no-room'> {
    if (!(await this.#isRoom(eventId))) return 'no-room';
    const key = requestKey(requestId);
    const owner = await noteRequest(this.#client, { key, fingerprint, now: this.#now?.() });
    return owner === fingerprint ? 'noted' : 'key-reused';
  }

  async #isRoom(eventId: string): Promise<boolean> {
    if (this.#rooms.has(eventId)) return true;
    const [room] = lineKeys(eventId);
    const isThere = (await this.#client.exists(room!)) === 1;
    if (isThere) this.#rooms.add(eventId);
    return isThere;
  }
}
