/**
 * Checks that Redis responds. A server that hangs keeps its connections open, so it is pinged all the time. While it does
 * not respond, requests fail at once instead of waiting for their own timeout.
 */
import { Cluster } from 'ioredis';
import type { RedisClient } from './scripts.ts';

const PING_EVERY_MS = 500;

export class Liveness {
  readonly #client: RedisClient;
  readonly #timer: NodeJS.Timeout | undefined;
  #silence: string | undefined;
  #isPinging = false;

  constructor(client: RedisClient) {
    this.#client = client;
    // A cluster has many servers: one that hangs says nothing about the others.
    if (client instanceof Cluster) return;
    this.#timer = setInterval(() => this.#ping(), PING_EVERY_MS).unref();
  }

  /** Why Redis cannot be used now; undefined if it can. */
  fault(): string | undefined {
    const { status } = this.#client;
    return status === 'ready' ? this.#silence : `Redis is not connected (${status})`;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #ping(): Promise<void> {
    if (this.#isPinging || this.#client.status !== 'ready') return;
    this.#isPinging = true;
    try {
      await this.#client.ping();
      this.#silence = undefined;
    } catch (error) {
      this.#silence = `Redis does not answer: ${(error as Error).message}`;
    } finally {
      this.#isPinging = false;
    }
  }
}
