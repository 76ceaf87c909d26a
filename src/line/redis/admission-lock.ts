/**
 * A short lock by which several admitters share the rooms among them. It only spares work: ticking without it, or past
 * its end, is as right as with it.
 */
import { randomBytes } from 'node:crypto';
import { admissionLockKey } from './keys.ts';
import { unlock } from './scripts/unlock.ts';
import type { RedisClient } from './scripts.ts';

const LOCK_MS = 4_000;

export interface AdmissionLock {
  release(): Promise<void>;
}

/** undefined while somebody else has it. */
export async function tryLockAdmission(client: RedisClient, eventId: string): Promise<AdmissionLock | undefined> {
  const key = admissionLockKey(eventId);
  const holder = randomBytes(9).toString('base64url');
  if ((await client.set(key, holder, 'PX', LOCK_MS, 'NX')) === null) return undefined;
  return {
    async release() {
      await unlock(client, { key, holder });
    },
  };
}
