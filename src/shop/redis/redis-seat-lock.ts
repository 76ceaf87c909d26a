/** Locks on seats in Redis: waited for up to 3 s, held for 5 s at most. */
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
/** Asking again costs Redis little; the pause differs, so that those who wait do not all ask at once. */
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

  /** True also while Redis is away: the database decides in any case. */
  async #tryLock(keys: string[], holder: string): Promise<boolean> {
    try {
      return await lockSeats(this.#client, { keys, holder, leaseMs: LEASE_MS });
    } catch (error) {
      this.#log.debug({ err: error }, 'seats are held without a lock');
      return true;
    }
  }
}
