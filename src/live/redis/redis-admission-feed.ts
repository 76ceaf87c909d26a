/**
 * The feed of a process that shares its lines with others: it says which visitors are connected here, and reads the
 * stream of news that the dispatchers write for it. When Redis is away, streams go on without news; the looks of their
 * visitors find what was missed.
 */
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { type Loop, startLoop } from '../../platform/concurrency/loop.ts';
import { awaitReady } from '../../platform/redis/connection.ts';
import type { RedisClient } from '../../platform/redis/scripts.ts';
import type { AdmissionFeed, OnAdmitted } from '../admission-feed.ts';
import { readNews } from './dispatch-stream.ts';
import { giveSignOfLife, HEARTBEAT_MS, removeInstance } from './instances.ts';
import { Whereabouts } from './whereabouts.ts';

export interface RedisAdmissionFeedOptions {
  client: RedisClient;
  /** Makes one more connection, to wait for news on. */
  connect: () => RedisClient;
  log: Logger;
}

const RETRY_MS = 500;

export class RedisAdmissionFeed implements AdmissionFeed {
  readonly instanceId = randomBytes(9).toString('base64url');
  readonly #options: RedisAdmissionFeedOptions;
  readonly #whereabouts: Whereabouts;
  #waiting: RedisClient | undefined;
  #loops: Loop[] = [];
  #isListed = false;
  /** How often Redis was lost sight of: what it was told before the last time it may have forgotten. */
  #losses = 0;
  #isStopping = false;

  constructor(options: RedisAdmissionFeedOptions) {
    this.#options = options;
    this.#whereabouts = new Whereabouts(options.client, this.instanceId);
  }

  async connected(eventId: string, visitor: string): Promise<void> {
    // Before the first sign of life a dispatcher would take this instance for dead.
    if (!this.#isListed) return this.#whereabouts.addLater(eventId, visitor);
    await this.#whereabouts.add(eventId, visitor).catch((error) => {
      this.#options.log.debug({ err: error, eventId }, 'live: where a visitor is could not be written; it will be');
    });
  }

  disconnected(eventId: string, visitor: string): Promise<boolean> {
    return this.#whereabouts.remove(eventId, visitor);
  }

  async start(onAdmitted: OnAdmitted): Promise<void> {
    const { client, connect, log } = this.#options;
    const waiting = connect();
    this.#waiting = waiting;
    // The other connection's trouble is logged, and this one's is the same.
    waiting.on('error', () => {});
    client.on('close', () => this.#doubt());
    await awaitReady(waiting);
    await this.#beat();
    const read = () => this.#read(waiting, onAdmitted);
    this.#loops = [
      startLoop({ name: 'heartbeat', intervalMs: HEARTBEAT_MS, runOnce: () => this.#beat(), log }),
      startLoop({ name: 'news', intervalMs: RETRY_MS, runOnce: read, log }),
    ];
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#waiting?.disconnect();
    await Promise.all(this.#loops.map((loop) => loop.stop()));
    if (!this.#isListed) return;
    await removeInstance(this.#options.client, this.instanceId).catch((error) => {
      this.#options.log.debug({ err: error }, 'live: this instance could not be unlisted; a reaper will do it');
    });
  }

  #doubt(): void {
    this.#losses += 1;
    this.#isListed = false;
    this.#whereabouts.doubt();
  }

  async #beat(): Promise<'done' | 'again'> {
    const losses = this.#losses;
    await giveSignOfLife(this.#options.client, this.instanceId);
    if (losses !== this.#losses) return 'again';
    this.#isListed = true;
    await this.#whereabouts.writeRest();
    return 'done';
  }

  async #read(waiting: RedisClient, onAdmitted: OnAdmitted): Promise<'done' | 'again'> {
    try {
      const reading = await readNews(waiting, this.#options.client, this.instanceId);
      for (const { eventId, visitors } of reading.news) onAdmitted(eventId, visitors);
      await reading.finish();
      return 'again';
    } catch (error) {
      if (this.#isStopping) return 'done';
      throw error;
    }
  }
}
