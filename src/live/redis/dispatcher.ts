/**
 * The role that takes news of admissions from the streams of the events to the instances that hold the visitors'
 * connections. Any number may run: a consumer group deals the news out among them, and what one read and did not finish
 * is taken up by another. News may arrive twice, or, for who is connected nowhere, not at all.
 */
import type { RedisClient } from '../../platform/redis/scripts.ts';
import { sendNews } from './dispatch-stream.ts';
import { type Admission, EntryGroup } from './entry-group.ts';
import { isAlive } from './instances.ts';
import { forgetVisitors } from './scripts/forget-visitors.ts';
import { toInstances } from './scripts/instance-list.ts';
import { whereKey } from './scripts/keys.ts';

export interface DispatcherOptions {
  client: RedisClient;
  /** The stream of an event's admissions, which belongs to the line. */
  entryKey: (eventId: string) => string;
  listActiveEvents: () => Promise<string[]>;
  /** After how long unfinished news is taken up by another dispatcher. */
  takeUpAfterMs?: number;
}

const TAKE_UP_AFTER_MS = 3_000;

export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #takeUpAfterMs: number;
  #takeUpAt = 0;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#takeUpAfterMs = options.takeUpAfterMs ?? TAKE_UP_AFTER_MS;
  }

  async runOnce(): Promise<'done' | 'again'> {
    const eventIds = await this.#options.listActiveEvents();
    if (performance.now() >= this.#takeUpAt) {
      await Promise.all(eventIds.map((eventId) => this.#takeUp(eventId)));
      this.#takeUpAt = performance.now() + this.#takeUpAfterMs;
    }
    const hasMore = await Promise.all(eventIds.map((eventId) => this.#dispatchNew(eventId)));
    return hasMore.includes(true) ? 'again' : 'done';
  }

  async #takeUp(eventId: string): Promise<void> {
    const group = this.#groupOf(eventId);
    await this.#dispatch(eventId, group, await group.takeUp(this.#takeUpAfterMs));
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

  /** Whoever was connected to an instance that died is so no more. */
  async #send(eventId: string, instanceId: string, visitors: string[]): Promise<void> {
    const { client } = this.#options;
    if (await isAlive(client, instanceId)) await sendNews(client, instanceId, { eventId, visitors });
    else await forgetVisitors(client, { eventId, instanceId, visitors });
  }

  #groupOf(eventId: string): EntryGroup {
    return new EntryGroup(this.#options.client, this.#options.entryKey(eventId));
  }
}
