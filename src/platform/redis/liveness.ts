/**
 * Whether Redis answers. A server that hangs keeps its connections open, so it is asked for a sign of life all the time;
 * while it gives none, nobody else has to wait to find that out.
 */
import { Cluster } from 'ioredis';
import type { RedisClient } from './scripts.ts';

const ASK_EVERY_MS = 500;

export class Liveness {
  readonly #client: RedisClient;
  readonly #timer: NodeJS.Timeout | undefined;
  #silence: string | undefined;
  #isAsking = false;

  constructor(client: RedisClient) {
    this.#client = client;
    // A cluster answers from many servers: one that hangs says nothing about the others.
    if (client instanceof Cluster) return;
    this.#timer = setInterval(() => this.#ask(), ASK_EVERY_MS).unref();
  }

  /** Why Redis cannot be used right now; undefined when it can. */
  fault(): string | undefined {
    const { status } = this.#client;
    return status === 'ready' ? this.#silence : `Redis is not connected (${status})`;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #ask(): Promise<void> {
    if (this.#isAsking || this.#client.status !== 'ready') return;
    this.#isAsking = true;
    try {
      await this.#client.ping();
      this.#silence = undefined;
    } catch (error) {
      this.#silence = `Redis does not answer: ${(error as Error).message}`;
    } finally {
      this.#isAsking = false;
    }
  }
}
