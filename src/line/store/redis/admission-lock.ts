/**
 * A lease per room, by which several admitters share the rooms. It lasts until shortly after the next tick is due: a room
 * is ticked once per interval however many admitters run, and another one takes over soon after its admitter stops.
 */
import { randomBytes } from 'node:crypto';
import type { RedisClient } from '../../../platform/redis/scripts.ts';
import type { AdmissionLock } from '../admissions.ts';
import { admissionLockKey } from './scripts/keys.ts';
import { lock } from './scripts/lock.ts';
import { unlock } from './scripts/unlock.ts';

const INTERVALS = 1.5;
/** Nobody waits for a tick that comes later; it was held up in a server that is perhaps no longer the master. */
const TICK_WITHIN_MS = 1_000;

export class AdmissionLocks {
  readonly #client: RedisClient;
  readonly #leaseMs: number;
  /** The id of this process, which may renew its own lease. */
  readonly #holder = randomBytes(9).toString('base64url');

  constructor(client: RedisClient, tickMs: number) {
    this.#client = client;
    this.#leaseMs = Math.ceil(tickMs * INTERVALS);
  }

  /** undefined while another process holds it. */
  async tryLock(eventId: string): Promise<AdmissionLock | undefined> {
    const key = admissionLockKey(eventId);
    const holder = this.#holder;
    const lockedAt = await lock(this.#client, { key, holder, leaseMs: this.#leaseMs });
    if (lockedAt === undefined) return undefined;
    return {
      lease: { holder, tickBy: lockedAt + TICK_WITHIN_MS },
      release: async () => {
        await unlock(this.#client, { key, holder });
      },
    };
  }
}
