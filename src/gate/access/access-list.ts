/**
 * The live access list in the memory of this process, ready to be applied. It is replaced as a whole when its version
 * changes. While the store or the line cannot be read, the last list stays.
 */
import type { AccessEntry } from '../decision/access-entries.ts';
import { type AccessJudge, createAccessJudge } from '../decision/judge-access.ts';
import type { AccessListing, AccessStore } from './access-store.ts';
import { type LiveEntry, toLists } from './live-entries.ts';

export type OnChange = (added: readonly LiveEntry[]) => void;

export class AccessList {
  #listing: AccessListing | undefined;
  #judge = createAccessJudge(toLists([]));
  readonly #listeners: OnChange[] = [];

  /** undefined before the list was first read. */
  get version(): string | undefined {
    return this.#listing?.version;
  }

  get entries(): readonly LiveEntry[] {
    return this.#listing?.entries ?? [];
  }

  /** Of the live entries alone. */
  get judge(): AccessJudge {
    return this.#judge;
  }

  /** Calls back with the entries that a new version added, and with none of the first. */
  onChange(listener: OnChange): void {
    this.#listeners.push(listener);
  }

  replace(listing: AccessListing): void {
    if (listing.version === this.version) return;
    const isFirst = this.#listing === undefined;
    const known = new Set(this.entries.map(nameOf));
    this.#listing = listing;
    this.#judge = createAccessJudge(toLists(listing.entries));
    const added = isFirst ? [] : listing.entries.filter((entry) => !known.has(nameOf(entry)));
    for (const listener of this.#listeners) listener(added);
  }

  /** One pass of the loop that follows the store. */
  async refresh(store: Pick<AccessStore, 'read'>): Promise<'done'> {
    const listing = await store.read(this.version);
    if (listing !== undefined) this.replace(listing);
    return 'done';
  }
}

/** The judge of a rules file and the live list together. */
export function createJudges(list: AccessList, fixed: readonly AccessEntry[] = []): () => AccessJudge {
  if (fixed.length === 0) return () => list.judge;
  let judge: AccessJudge | undefined;
  list.onChange(() => {
    judge = undefined;
  });
  return () => {
    judge ??= createAccessJudge(toLists(list.entries, fixed));
    return judge;
  };
}

function nameOf({ eventId, group, id }: LiveEntry): string {
  return `${eventId} ${group} ${id}`;
}
