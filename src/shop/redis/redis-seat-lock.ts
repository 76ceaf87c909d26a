/** Seat locks in Redis: waits up to 3 s, holds a lock for at most 5 s. */
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { closeClient } from '../../platform/redis/connection.ts';
import type { RedisClient } from '../../platform/redis/scripts.ts';
import type { SeatLock } from '../seat-lock.ts';
import { seatLockKey } from './keys.ts';
import { lockSeats } from './scripts/lock-seats.ts';
import { unlockSeats } from './scripts/unlock-seats.ts';

const WAIT_MS = 3_000;
const LEASE_MS = 5_000;
/** Retries cost Redis little. The pause is random, so that waiting requests do not retry at once. */
const SHORTEST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 40;

export class RedisSeatLock implements SeatLock {
  readonly #client: RedisClient;
  readonly #log: Logger;

  constructor(client: RedisClient, log: Logger) {
    this.#client = client;
    this.#log = log;
  }

  async with<T>(eventId: string, seatIds: readonly string[], work: () => Promise<T>): Promise<T | 'busy'> {
    const keys = seatIds.map((id) => seatLockKey(eventId, id));
    const holder = randomBytes(9).toString('base64url');
    if (!(await this.#lock(keys, holder))) return 'busy';
    try {
      return await work();
    } finally {
      await unlockSeats(this.#client, { keys, holder }).catch(() => {});
    }
  }

  close(): Promise<void> {
    return closeClient(this.#client);
  }

  async #lock(keys: string[], holder: string): Promise<boolean> {
    const endsAt = performance.now() + WAIT_MS;
    while (performance.now() < endsAt) {
      if (await this.#tryLock(keys, holder)) return true;
      const ms = SHORTEST_PAUSE_MS + Math.random() * (LONGEST_PAUSE_MS - SHORTEST_PAUSE_MS);
      await new Promise((resolve) => setTimeout(resolve, ms));
    }
    return false;
  }

  /** Also true while Redis is unavailable: the database decides anyway. */
  async #tryLock(keys: string[], holder: string): Promise<boolean> {
    try {
      return await lockSeats(this.#client, { keys, holder, leaseMs: LEASE_MS });
    } catch (error) {
      this.#log.debug({ err: error }, 'seat lock unavailable, holding without it');
      return true;
    }
  }
}
