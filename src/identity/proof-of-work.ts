/**
 * Proof of work for identities that many others from the same address came before: the client must find a number whose hash
 * begins with given zeros. That costs it time, and the server a few hashes. A challenge is bound to one event and one owner
 * (the guest or the device), where it can get only one place, and can be used once.
 *
 * The format is ALTCHA v2 (https://altcha.org): `keyPrefix` and `cost` say how much work it is.
 */
import { type Challenge, createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import type { Clock } from '../platform/clock.ts';
import { RecentMap } from '../platform/collections/recent-map.ts';
import { isEnough, type Price, toWork } from './identity-price.ts';

export interface Answer {
  challenge: { parameters: Record<string, unknown>; signature: string };
  solution: { counter: number; derivedKey: string };
}

/** What is paid for: a place of this owner at this event, for this price. */
export interface Task {
  eventId: string;
  /** The guest or the device. */
  owner: string;
  price: Price;
}

export interface ProofOfWork {
  create(task: Task): Promise<Challenge>;
  /** True once per challenge, if it was issued for this owner and event, is solved in time, and paid about the price. */
  accept(answer: Answer, task: Task): Promise<boolean>;
}

export interface ProofOfWorkOptions {
  /** The key to sign with, then older ones whose challenges are still accepted. */
  keys: readonly [string, ...string[]];
  /** Leading zeros of the cheapest hash in hexadecimal digits: each multiplies the work by 16. */
  digits: number;
  clock: Clock;
}

/** The signed content of a challenge. `device`: the owner. */
interface TaskData {
  eventId: string;
  device: string;
  until: number;
  steps?: number;
}

const VALID_FOR_MS = 300_000;
const REMEMBERED = 100_000;

export function createProofOfWork({ keys, digits, clock }: ProofOfWorkOptions): ProofOfWork {
  const hmacSignatureSecret = keys[0];
  const used = new RecentMap<true>(REMEMBERED);
  return {
    create({ eventId, owner, price }) {
      const data = { eventId, device: owner, until: clock.now() + VALID_FOR_MS, steps: price.steps };
      const { zeros, cost } = toWork(price, digits);
      const keyPrefix = '0'.repeat(zeros);
      return createChallenge({ algorithm: 'SHA-256', cost, keyPrefix, data, deriveKey, hmacSignatureSecret });
    },
    async accept({ challenge, solution }, { eventId, owner, price }) {
      if (used.get(challenge.signature) !== undefined) return false;
      const isGenuine = await isSolved(challenge as unknown as Challenge, solution);
      // Looked up again: two copies can arrive at once.
      if (!isGenuine || used.get(challenge.signature) !== undefined) return false;
      const data = challenge.parameters.data as TaskData;
      if (data.eventId !== eventId || data.device !== owner || data.until <= clock.now()) return false;
      if (!isEnough(data.steps ?? 1, price)) return false;
      used.set(challenge.signature, true);
      return true;
    },
  };

  async function isSolved(challenge: Challenge, solution: Answer['solution']): Promise<boolean> {
    for (const key of keys) {
      const { verified } = await verifySolution({
        challenge,
        solution: { ...solution, time: 0 },
        deriveKey,
        hmacSignatureSecret: key,
      }).catch(() => ({ verified: false }));
      if (verified) return true;
    }
    return false;
  }
}
