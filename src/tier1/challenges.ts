/**
 * Proof of work for clients that exceed the assign rate limit: the browser must find a number whose hash begins with a
 * given number of zeros. That costs it about a second, and the server one hash. A challenge is bound to one device and
 * event, where it can get only one position, and can be used once.
 */
import { type Challenge, createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import type { Clock } from '../platform/clock.ts';
import { RecentMap } from '../platform/collections/recent-map.ts';
import { createMac } from '../platform/crypto/hmac.ts';

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
  secret: string;
  /** Leading zeros of the hash in hexadecimal digits: each multiplies the work by 16. */
  digits: number;
  clock: Clock;
}

const VALID_FOR_MS = 300_000;
const REMEMBERED = 100_000;
const KEY_LABEL = 'challenges of tier 1';

export function createChallenges({ secret, digits, clock }: ChallengesOptions): Challenges {
  // A derived key, because altcha-lib defines the format of what it signs.
  const hmacSignatureSecret = createMac(secret, KEY_LABEL.length)(KEY_LABEL);
  const used = new RecentMap<true>(REMEMBERED);
  return {
    create(eventId, device) {
      const data = { eventId, device, until: clock.now() + VALID_FOR_MS };
      const keyPrefix = '0'.repeat(digits);
      return createChallenge({ algorithm: 'SHA-256', cost: 1, keyPrefix, data, deriveKey, hmacSignatureSecret });
    },
    async accept({ challenge, solution }, eventId, device) {
      const { verified } = await verifySolution({
        challenge: challenge as unknown as Challenge,
        solution: { ...solution, time: 0 },
        deriveKey,
        hmacSignatureSecret,
      }).catch(() => ({ verified: false }));
      if (!verified || used.get(challenge.signature) !== undefined) return false;
      const data = challenge.parameters.data as { eventId: string; device: string; until: number };
      if (data.eventId !== eventId || data.device !== device || data.until <= clock.now()) return false;
      used.set(challenge.signature, true);
      return true;
    },
  };
}
