/**
 * Proof of work for clients that exceed the assign rate limit: the browser must find a number whose hash begins with a
 * given number of zeros. That costs it about a second, and the server one hash. A challenge is bound to one device and
 * event, where it can get only one position, and can be used once.
 */
import { type Challenge, createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import type { Clock } from '../platform/clock.ts';
import { RecentMap } from '../platform/collections/recent-map.ts';

export interface Answer {
  challenge: { parameters: Record<string, unknown>; signature: string };
  solution: { counter: number; derivedKey: string };
}

export interface Challenges {
  create(eventId: string, device: string): Promise<Challenge>;
  /** True once per challenge, if it was issued for this device and event and is solved in time. */
  accept(answer: Answer, eventId: string, device: string): Promise<boolean>;
}

export interface ChallengesOptions {
  /** The key to sign with, then older ones whose challenges are still accepted. */
  keys: readonly [string, ...string[]];
  /** Leading zeros of the hash in hexadecimal digits: each multiplies the work by 16. */
  digits: number;
  clock: Clock;
}

const VALID_FOR_MS = 300_000;
const REMEMBERED = 100_000;

export function createChallenges({ keys, digits, clock }: ChallengesOptions): Challenges {
  const used = new RecentMap<true>(REMEMBERED);
  return {
    create(eventId, device) {
      const data = { eventId, device, until: clock.now() + VALID_FOR_MS };
      const keyPrefix = '0'.repeat(digits);
      return createChallenge({
        algorithm: 'SHA-256',
        cost: 1,
        keyPrefix,
        data,
        deriveKey,
        hmacSignatureSecret: keys[0],
      });
    },
    async accept({ challenge, solution }, eventId, device) {
      if (!(await isSolved(challenge as unknown as Challenge, solution)) || used.get(challenge.signature) !== undefined)
        return false;
      const data = challenge.parameters.data as { eventId: string; device: string; until: number };
      if (data.eventId !== eventId || data.device !== device || data.until <= clock.now()) return false;
      used.set(challenge.signature, true);
      return true;
    },
  };

  async function isSolved(challenge: Challenge, solution: Answer['solution']): Promise<boolean> {
    for (const hmacSignatureSecret of keys) {
      const { verified } = await verifySolution({
        challenge,
        solution: { ...solution, time: 0 },
        deriveKey,
        hmacSignatureSecret,
      }).catch(() => ({ verified: false }));
      if (verified) return true;
    }
    return false;
  }
}
