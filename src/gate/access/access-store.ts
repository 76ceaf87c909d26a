/**
 * The port to the live access list, shared by all processes. A change is durable when its verb resolves. The list has a
 * version that every change replaces, so that reading an unchanged list costs next to nothing.
 */
import type { LiveEntry } from './live-entries.ts';

export interface AccessStore {
  /** undefined: the list still has this version. Expired entries may be included. */
  read(version?: string): Promise<AccessListing | undefined>;
  /** Adds the entry, or replaces the one with its key. `full`: too many in the room or in all. */
  put(entry: LiveEntry, how?: { onlyNew?: boolean }): Promise<'stored' | 'exists' | 'full'>;
  /** False: there was none. */
  remove(key: AccessKey): Promise<boolean>;
  close(): Promise<void>;
}

export interface AccessListing {
  version: string;
  entries: readonly LiveEntry[];
}

export type AccessKey = Pick<LiveEntry, 'eventId' | 'group' | 'id'>;

/** How stores name an entry. An event id has no colon. */
export function toKeyText({ eventId, group, id }: AccessKey): string {
  return `${toGroupText({ eventId, group })}${id}`;
}

export function toGroupText({ eventId, group }: Pick<AccessKey, 'eventId' | 'group'>): string {
  return `${eventId}:${group}:`;
}
