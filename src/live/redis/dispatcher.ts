/**
 * The role `dispatcher`: forwards admissions from the entry streams of events to the instances with the visitors'
 * connections. Any number may run: a consumer group distributes the entries, and another dispatcher claims entries that
 * one has read but not finished. A hint may arrive twice, and not at all for a visitor without a connection.
 */
import { settleAll } from '../../platform/concurrency/settle-all.ts';
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
    const isClaiming = performance.now() >= this.#claimAt;
    if (isClaiming) this.#claimAt = performance.now() + this.#claimAfterMs;
    // Rooms may be on different servers of a cluster: one that is away must not hold up the others.
    const hasMore = await settleAll(eventIds.map((eventId) => this.#dispatchEvent(eventId, isClaiming)));
    return hasMore.includes(true) ? 'again' : 'done';
  }

  async #dispatchEvent(eventId: string, isClaiming: boolean): Promise<boolean> {
    if (isClaiming) await this.#claimStale(eventId);
    return this.#dispatchNew(eventId);
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
