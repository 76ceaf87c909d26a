/**
 * The role `dispatcher`: forwards admissions from the entry streams of events to the instances with the visitors'
 * connections. Any number may run: a consumer group distributes the entries, and another dispatcher claims entries that
 * one has read but not finished. A hint may arrive twice, and not at all for a visitor without a connection.
 */
import type { RedisClient } from '../../platform/redis/scripts.ts';
import { sendHint } from './dispatch-stream.ts';
import { type Admission, EntryGroup } from './entry-group.ts';
import { isAlive } from './instances.ts';
import { forgetVisitors } from './scripts/forget-visitors.ts';
import { toInstances } from './scripts/instance-list.ts';
import { whereKey } from './scripts/keys.ts';

export interface DispatcherOptions {
  client: RedisClient;
  /** The entry stream of an event, which belongs to the line. */
  entryKey: (eventId: string) => string;
  listActiveEvents: () => Promise<string[]>;
  /** After how long another dispatcher claims unfinished entries. */
  claimAfterMs?: number;
}

const CLAIM_AFTER_MS = 3_000;

export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #claimAfterMs: number;
  #claimAt = 0;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#claimAfterMs = options.claimAfterMs ?? CLAIM_AFTER_MS;
  }

  async runOnce(): Promise<'done' | 'again'> {
    const eventIds = await this.#options.listActiveEvents();
    if (performance.now() >= this.#claimAt) {
      await Promise.all(eventIds.map((eventId) => this.#claimStale(eventId)));
      this.#claimAt = performance.now() + this.#claimAfterMs;
    }
    const hasMore = await Promise.all(eventIds.map((eventId) => this.#dispatchNew(eventId)));
    return hasMore.includes(true) ? 'again' : 'done';
  }

  async #claimStale(eventId: string): Promise<void> {
    const group = this.#groupOf(eventId);
    await this.#dispatch(eventId, group, await group.claimStale(this.#claimAfterMs));
  }

  async #dispatchNew(eventId: string): Promise<boolean> {
    const group = this.#groupOf(eventId);
    const admissions = await group.read();
    await this.#dispatch(eventId, group, admissions);
    return group.isFull(admissions);
  }

  async #dispatch(eventId: string, group: EntryGroup, admissions: readonly Admission[]): Promise<void> {
    if (admissions.length === 0) return;
    const byInstance = await this.#groupByInstance(
      eventId,
      admissions.map(({ visitor }) => visitor),
    );
    await Promise.all([...byInstance].map(([instanceId, visitors]) => this.#send(eventId, instanceId, visitors)));
    await group.finish(admissions);
  }

  async #groupByInstance(eventId: string, visitors: string[]): Promise<Map<string, string[]>> {
    const whereabouts = await this.#options.client.hmget(whereKey(eventId), ...visitors);
    const byInstance = new Map<string, string[]>();
    for (const [i, text] of whereabouts.entries()) {
      for (const instanceId of toInstances(text)) {
        const there = byInstance.get(instanceId) ?? [];
        there.push(visitors[i]!);
        byInstance.set(instanceId, there);
      }
    }
    return byInstance;
  }

  /** Removes visitors of a dead instance from the whereabouts. */
  async #send(eventId: string, instanceId: string, visitors: string[]): Promise<void> {
    const { client } = this.#options;
    if (await isAlive(client, instanceId)) await sendHint(client, instanceId, { eventId, visitors });
    else await forgetVisitors(client, { eventId, instanceId, visitors });
  }

  #groupOf(eventId: string): EntryGroup {
    return new EntryGroup(this.#options.client, this.#options.entryKey(eventId));
  }
}
