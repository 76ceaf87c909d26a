/**
 * A lease by which several admitters share the rooms among them: whoever ticks a room has it until a little after the
 * next tick is due, so that a room is ticked once per interval however many admitters there are, and goes to another
 * soon after its admitter is gone. It only spares work: ticking without it, or past its end, is as right.
 */
import { randomBytes } from 'node:crypto';
import type { RedisClient } from '../../../platform/redis/scripts.ts';
import type { AdmissionLock } from '../admissions.ts';
import { admissionLockKey } from './scripts/keys.ts';
import { lock } from './scripts/lock.ts';
import { unlock } from './scripts/unlock.ts';

const INTERVALS = 1.5;

export class AdmissionLocks {
  readonly #client: RedisClient;
  readonly #leaseMs: number;
  /** Of this process: what it has, it may take again. */
  readonly #holder = randomBytes(9).toString('base64url');

  constructor(client: RedisClient, tickMs: number) {
    this.#client = client;
    this.#leaseMs = Math.ceil(tickMs * INTERVALS);
  }

  /** undefined while somebody else has it. */
  async tryLock(eventId: string): Promise<AdmissionLock | undefined> {
    const key = admissionLockKey(eventId);
    const holder = this.#holder;
    if (!(await lock(this.#client, { key, holder, leaseMs: this.#leaseMs }))) return undefined;
    return {
      release: async () => {
        await unlock(this.#client, { key, holder });
      },
    };
  }
}
