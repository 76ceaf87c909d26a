/**
 * Who is connected to this instance, as the dispatchers are told. What could not be written is written with the next
 * heartbeat, and all of it anew when Redis was away, since it may have forgotten.
 */
import type { RedisClient } from '../../platform/redis/scripts.ts';
import { isAlive } from './instances.ts';
import { forgetVisitors } from './scripts/forget-visitors.ts';
import { noteVisitors } from './scripts/note-visitors.ts';

const VISITORS_PER_COMMAND = 500;

type Visitors = Map<string, Set<string>>;

export class Whereabouts {
  readonly #client: RedisClient;
  readonly #instanceId: string;
  readonly #here: Visitors = new Map();
  readonly #unwritten: Visitors = new Map();
  /** What was written before the last doubt is not certain to be there. */
  #doubts = 0;

  constructor(client: RedisClient, instanceId: string) {
    this.#client = client;
    this.#instanceId = instanceId;
  }

  /** Rejects if it could not be written yet; it will be. */
  async add(eventId: string, visitor: string): Promise<void> {
    this.addLater(eventId, visitor);
    await this.#write(eventId, [visitor]);
  }

  /** To be written with the next heartbeat. */
  addLater(eventId: string, visitor: string): void {
    put(this.#here, eventId, visitor);
    put(this.#unwritten, eventId, visitor);
  }

  /** Whether the visitor is now connected to no instance that lives. */
  async remove(eventId: string, visitor: string): Promise<boolean> {
    take(this.#here, eventId, visitor);
    take(this.#unwritten, eventId, visitor);
    const [others = []] = await this.#forget(eventId, visitor, this.#instanceId);
    for (const other of others) {
      if (await isAlive(this.#client, other)) return false;
      await this.#forget(eventId, visitor, other);
    }
    return true;
  }

  /** Redis was away: nothing that it was told is certain. */
  doubt(): void {
    this.#doubts += 1;
    for (const [eventId, visitors] of this.#here) this.#unwritten.set(eventId, new Set(visitors));
  }

  async writeRest(): Promise<void> {
    const unwritten = [...this.#unwritten].map(([eventId, visitors]) => [eventId, [...visitors]] as const);
    for (const [eventId, rest] of unwritten) {
      for (let start = 0; start < rest.length; start += VISITORS_PER_COMMAND) {
        await this.#write(eventId, rest.slice(start, start + VISITORS_PER_COMMAND));
      }
    }
  }

  #forget(eventId: string, visitor: string, instanceId: string): Promise<string[][]> {
    return forgetVisitors(this.#client, { eventId, instanceId, visitors: [visitor] });
  }

  async #write(eventId: string, visitors: readonly string[]): Promise<void> {
    const doubts = this.#doubts;
    await noteVisitors(this.#client, { eventId, instanceId: this.#instanceId, visitors });
    if (doubts !== this.#doubts) return;
    for (const visitor of visitors) take(this.#unwritten, eventId, visitor);
  }
}

function put(map: Visitors, eventId: string, visitor: string): void {
  const visitors = map.get(eventId) ?? new Set();
  map.set(eventId, visitors.add(visitor));
}

function take(map: Visitors, eventId: string, visitor: string): void {
  const visitors = map.get(eventId);
  visitors?.delete(visitor);
  if (visitors?.size === 0) map.delete(eventId);
}
