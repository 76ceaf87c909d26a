/** Changes of the live access list. Each takes effect in this process at once, and in all others within two seconds. */
import { randomBytes } from 'node:crypto';
import { AppError } from '../../http/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccessList } from './access-list.ts';
import type { AccessKey, AccessStore } from './access-store.ts';
import { EVERYWHERE, isCurrent, type LiveEntry } from './live-entries.ts';

export interface LiveAccessOptions {
  store: AccessStore;
  list: AccessList;
  clock: Clock;
}

export class LiveAccess {
  readonly #options: LiveAccessOptions;

  constructor(options: LiveAccessOptions) {
    this.#options = options;
  }

  /** The entries in force in a room, those of all rooms included, as the store has them now. */
  async listOf(eventId: string): Promise<LiveEntry[]> {
    await this.refresh();
    const now = this.#options.clock.now();
    return this.#options.list.entries.filter((entry) => isCurrent(entry, now) && concerns(entry, eventId));
  }

  /** Throws ACCESS_LIST_FULL. `exists`: only with `onlyNew`. */
  async put(entry: LiveEntry, how: { onlyNew?: boolean } = {}): Promise<'stored' | 'exists'> {
    const outcome = await this.#options.store.put(entry, how);
    if (outcome === 'full') throw new AppError('ACCESS_LIST_FULL');
    await this.refresh();
    return outcome;
  }

  /** False: there was none. */
  async remove(key: AccessKey): Promise<boolean> {
    const removed = await this.#options.store.remove(key);
    await this.refresh();
    return removed;
  }

  async isRevoked(passId: string): Promise<boolean> {
    await this.refresh();
    return this.#options.list.entries.some((entry) => entry.group === 'pass' && entry.id === passId && entry.isRevoked);
  }

  async refresh(): Promise<'done'> {
    return this.#options.list.refresh(this.#options.store);
  }

  /** The common fields of a new entry. */
  createFacts(eventId: string, { minutes, about }: { minutes?: number | undefined; about?: string | undefined }) {
    const createdAt = this.#options.clock.now();
    return {
      id: randomBytes(9).toString('base64url'),
      eventId,
      createdAt,
      ...(minutes === undefined ? {} : { expiresAt: createdAt + minutes * 60_000 }),
      ...(about === undefined || about === '' ? {} : { about }),
    };
  }
}

function concerns(entry: LiveEntry, eventId: string): boolean {
  if (entry.group === 'link' || entry.group === 'pass') return entry.events.includes(eventId);
  return entry.eventId === eventId || entry.eventId === EVERYWHERE;
}
