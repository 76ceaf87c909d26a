/**
 * Remembers signed tokens. A visitor who is inside polls again and again, and every answer has a token: with a key pair,
 * signing one each time would cost more than all the rest of a poll.
 */
import { RecentMap } from '../platform/collections/recent-map.ts';

const REMEMBERED = 50_000;
const UNUSED_MS = 300_000;
/** A token is used again while it ends at most this part of the remaining time too early. */
const SHARE = 0.1;

export interface Signed {
  token: string;
  /** Whose it is. */
  holder: string;
  /** In seconds. */
  expiresAt: number;
}

export class SignedBefore {
  #keyId: string | undefined;
  #tokens = new RecentMap<Signed>(REMEMBERED, { unusedMs: UNUSED_MS });

  /** The token of that name, if it may be used again. `keyId`: of the key that signs now; tokens of others are forgotten. */
  find(name: string, wanted: { keyId: string; holder: string; expiresAt: number; now: number }): string | undefined {
    if (wanted.keyId !== this.#keyId) {
      this.#keyId = wanted.keyId;
      this.#tokens = new RecentMap(REMEMBERED, { unusedMs: UNUSED_MS });
    }
    const known = this.#tokens.get(name);
    return known !== undefined && known.holder === wanted.holder && isGoodEnough(known, wanted)
      ? known.token
      : undefined;
  }

  /** Call `find` before. */
  keep(name: string, signed: Signed): void {
    this.#tokens.set(name, signed);
  }
}

/** Never one that is valid for longer than was asked for: the session may have been cut short. */
export function isGoodEnough(
  known: Pick<Signed, 'expiresAt'>,
  { expiresAt, now }: { expiresAt: number; now: number },
): boolean {
  const missing = expiresAt - known.expiresAt;
  return missing >= 0 && missing <= (expiresAt - now) * SHARE;
}
