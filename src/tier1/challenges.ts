/**
 * Proof of work for whoever takes more positions than is usual: the browser has to find a number whose hash begins with
 * so many zeros, which costs it a second or so and us one hash. A challenge is for one device and one event, where it
 * can get no more than the one position, and is good once.
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
  /** True once for each challenge, if it was made for this device at this event and is solved in time. */
  accept(answer: Answer, eventId: string, device: string): Promise<boolean>;
}

export interface ChallengesOptions {
  secret: string;
  /** Zeros that the hash must begin with, in hexadecimal digits: each makes it 16 times as much work. */
  digits: number;
  clock: Clock;
}

const GOOD_FOR_MS = 300_000;
const REMEMBERED = 100_000;
const KEY_LABEL = 'challenges of tier 1';

export function createChallenges({ secret, digits, clock }: ChallengesOptions): Challenges {
  // A key of its own: what it signs is made by another program's rules.
  const hmacSignatureSecret = createMac(secret, KEY_LABEL.length)(KEY_LABEL);
  const used = new RecentMap<true>(REMEMBERED);
  return {
    create(eventId, device) {
      const data = { eventId, device, until: clock.now() + GOOD_FOR_MS };
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
