/**
 * Passwords as scrypt hashes, each with its own salt and cost. Hashing is slow on purpose and runs on the threads that the journal
 * also needs, so few hashes run at a time, few wait, and further requests are `busy`. A rush of sign-ins slows down only
 * sign-ins. Some places of the queue are kept for visitors who are known, so that guesses of strangers do not fill it.
 */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { ConcurrencyLimit } from '../platform/concurrency/concurrency-limit.ts';

export interface Passwords {
  hash(password: string, who?: Asker): Promise<string | 'busy'>;
  /** Takes the same time without an account, so that the time does not reveal who has one. */
  verify(password: string, stored: string | undefined, who?: Asker): Promise<boolean | 'busy'>;
}

/** `known`: a browser that signed in to the account before, or the holder of a session or a mailed link. */
export type Asker = 'stranger' | 'known';

export interface Cost {
  /** N is two to this power; memory is 128 * N * blockSize bytes. */
  logN: number;
  blockSize: number;
  rounds: number;
}

/** 32 MB: one of the equivalent settings that OWASP recommends. */
const COST: Cost = { logN: 15, blockSize: 8, rounds: 3 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;
/** At most half of the cores, and half of Node's four worker threads. */
const AT_A_TIME = Math.min(2, Math.max(1, Math.floor(availableParallelism() / 2)));
const MOST_UNDER_WAY: Readonly<Record<Asker, number>> = { stranger: 20, known: 30 };

/** `cost`: for new passwords; stored ones keep their own. */
export function createPasswords(cost = COST): Passwords {
  const slots = new ConcurrencyLimit(AT_A_TIME);
  // Compared with where there is no account; no password matches it.
  const nobodys = format(cost, Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES));
  let underWay = 0;

  async function inTurn<T>(who: Asker, work: () => Promise<T>): Promise<T | 'busy'> {
    if (underWay >= MOST_UNDER_WAY[who]) return 'busy';
    underWay += 1;
    try {
      return await slots.run(work);
    } finally {
      underWay -= 1;
    }
  }

  return {
    hash: (password, who = 'stranger') =>
      inTurn(who, async () => {
        const salt = randomBytes(SALT_BYTES);
        return format(cost, salt, await derive(password, salt, cost));
      }),
    verify: (password, stored, who = 'stranger') =>
      inTurn(who, async () => {
        const { cost: itsCost, salt, hash } = parse(stored ?? nobodys);
        const isSame = timingSafeEqual(await derive(password, salt, itsCost), hash);
        return isSame && stored !== undefined;
      }),
  };
}

function derive(password: string, salt: Buffer, { logN, blockSize, rounds }: Cost): Promise<Buffer> {
  const options = { N: 2 ** logN, r: blockSize, p: rounds, maxmem: 256 * 2 ** logN * blockSize };
  return new Promise((resolve, reject) => {
    // The same characters can be encoded in more than one way.
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, hash) =>
      error === null ? resolve(hash) : reject(error),
    );
  });
}

function format({ logN, blockSize, rounds }: Cost, salt: Buffer, hash: Buffer): string {
  return ['scrypt', logN, blockSize, rounds, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

function parse(stored: string): { cost: Cost; salt: Buffer; hash: Buffer } {
  const [kind, logN, blockSize, rounds, salt = '', hash = ''] = stored.split('$');
  if (kind !== 'scrypt') throw new Error(`unknown password hash "${kind}"; expected: scrypt`);
  const cost = { logN: Number(logN), blockSize: Number(blockSize), rounds: Number(rounds) };
  return { cost, salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') };
}
