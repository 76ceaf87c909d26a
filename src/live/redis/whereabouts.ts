/**
 * Records for the dispatchers which visitors are connected to this instance. A failed write is retried with the next
 * heartbeat. After a lost connection everything is written again, because Redis may have lost it.
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
  /** A write that began before the last rewrite does not count as done. */
  #rewrites = 0;

  constructor(client: RedisClient, instanceId: string) {
    this.#client = client;
    this.#instanceId = instanceId;
  }

  /** Rejects if the write failed; it is retried with the next heartbeat. */
  async add(eventId: string, visitor: string): Promise<void> {
    this.addLater(eventId, visitor);
    await this.#write(eventId, [visitor]);
  }

  /** Written with the next heartbeat. */
  addLater(eventId: string, visitor: string): void {
    put(this.#here, eventId, visitor);
    put(this.#unwritten, eventId, visitor);
  }

  /** True if the visitor is now connected to no live instance. */
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

  /** Writes everything again with the next heartbeat. */
  rewriteAll(): void {
    this.#rewrites += 1;
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
    const rewrites = this.#rewrites;
    await noteVisitors(this.#client, { eventId, instanceId: this.#instanceId, visitors });
    if (rewrites !== this.#rewrites) return;
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
