/**
 * The feed of a process that shares its lines with others: it records which visitors are connected here, and reads the
 * stream of hints that dispatchers write for it. While Redis is down, streams stay open without hints; regular looks
 * find what was missed.
 */
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { type Loop, startLoop } from '../../platform/concurrency/loop.ts';
import { awaitReady } from '../../platform/redis/connection.ts';
import type { RedisClient } from '../../platform/redis/scripts.ts';
import type { AdmissionFeed, OnAdmitted } from '../feed/admission-feed.ts';
import { readHints } from './dispatch-stream.ts';
import { HEARTBEAT_MS, removeInstance, sendHeartbeat } from './instances.ts';
import { Whereabouts } from './whereabouts.ts';

export interface RedisAdmissionFeedOptions {
  client: RedisClient;
  /** Opens another connection, for blocking reads. */
  connect: () => RedisClient;
  log: Logger;
}

const RETRY_MS = 500;

export class RedisAdmissionFeed implements AdmissionFeed {
  readonly instanceId = randomBytes(9).toString('base64url');
  readonly #options: RedisAdmissionFeedOptions;
  readonly #whereabouts: Whereabouts;
  #blocking: RedisClient | undefined;
  #loops: Loop[] = [];
  #isListed = false;
  /** How often the connection was lost: Redis may have lost what was written before. */
  #losses = 0;
  #isStopping = false;

  constructor(options: RedisAdmissionFeedOptions) {
    this.#options = options;
    this.#whereabouts = new Whereabouts(options.client, this.instanceId);
  }

  async connected(eventId: string, visitor: string): Promise<void> {
    // Before the first heartbeat a dispatcher would treat this instance as dead.
    if (!this.#isListed) return this.#whereabouts.addLater(eventId, visitor);
    await this.#whereabouts.add(eventId, visitor).catch((error) => {
      this.#options.log.debug({ err: error, eventId }, 'live: recording a connection failed; will retry');
    });
  }

  disconnected(eventId: string, visitor: string): Promise<boolean> {
    return this.#whereabouts.remove(eventId, visitor);
  }

  async start(onAdmitted: OnAdmitted): Promise<void> {
    const { client, connect, log } = this.#options;
    const blocking = connect();
    this.#blocking = blocking;
    // The main connection logs the same errors.
    blocking.on('error', () => {});
    client.on('close', () => this.#noteLoss());
    const read = () => this.#read(blocking, onAdmitted);
    this.#loops = [
      startLoop({ name: 'heartbeat', intervalMs: HEARTBEAT_MS, runOnce: () => this.#beat(), log }),
      startLoop({ name: 'hints', intervalMs: RETRY_MS, runOnce: read, log }),
    ];
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#blocking?.disconnect();
    await Promise.all(this.#loops.map((loop) => loop.stop()));
    if (!this.#isListed) return;
    await removeInstance(this.#options.client, this.instanceId).catch((error) => {
      this.#options.log.debug({ err: error }, 'live: removing this instance failed; a reaper will do it');
    });
  }

  #noteLoss(): void {
    this.#losses += 1;
    this.#isListed = false;
    this.#whereabouts.rewriteAll();
  }

  async #beat(): Promise<'done' | 'again'> {
    const losses = this.#losses;
    await sendHeartbeat(this.#options.client, this.instanceId);
    if (losses !== this.#losses) return 'again';
    this.#isListed = true;
    await this.#whereabouts.writeRest();
    return 'done';
  }

  async #read(blocking: RedisClient, onAdmitted: OnAdmitted): Promise<'done' | 'again'> {
    try {
      await awaitReady(blocking, HEARTBEAT_MS);
      const reading = await readHints(blocking, this.#options.client, this.instanceId);
      for (const { eventId, visitors } of reading.hints) onAdmitted(eventId, visitors);
      await reading.finish();
      return 'again';
    } catch (error) {
      if (this.#isStopping) return 'done';
      throw error;
    }
  }
}
