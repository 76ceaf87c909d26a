/**
 * Remembers what the latest tokens say. They are found by the end of their signature, which is as good as random: hashing
 * all of a token for each request costs more than everything else that a verifier does with a token that it knows. If two
 * tokens share the hash, the later one replaces the other, which is verified again; neither is ever taken for the other.
 */
import { RecentMap } from '../collections/recent-map.ts';
import { hashOfEnd } from './seen-before.ts';

/** Longer than a page waits between two polls: memory follows the visitors who are here, not all who came. */
export const TOKEN_UNUSED_MS = 300_000;

export class RememberedTokens<T> {
  readonly #byEnd: RecentMap<{ token: string; value: T }, number>;

  constructor(limit: number) {
    this.#byEnd = new RecentMap(limit, { unusedMs: TOKEN_UNUSED_MS });
  }

  get(token: string): T | undefined {
    const found = this.#byEnd.get(hashOfEnd(token));
    return found !== undefined && found.token === token ? found.value : undefined;
  }

  set(token: string, value: T): void {
    this.#byEnd.set(hashOfEnd(token), { token, value });
  }
}
