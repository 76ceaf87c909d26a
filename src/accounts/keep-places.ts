/** A guest who signs in keeps their places in line: each is renamed from the guest to the user. */
import { AppError } from '../http/errors.ts';
import type { LineStore } from '../line/store/line-store.ts';
import type { LineWatch } from '../line/store/line-watch.ts';
import { formatBye } from '../live/frames.ts';
import type { Hub } from '../live/hub.ts';

const RETRY_SECONDS = 2;

export interface KeepPlacesOptions {
  store: Pick<LineStore, 'listActiveEvents' | 'rename'>;
  watch: Pick<LineWatch, 'forget'>;
  /** The streams of this process. */
  hub: Pick<Hub, 'find' | 'end'>;
}

export type KeepPlaces = (guest: string, userId: string) => Promise<void>;

/** No index lists a visitor's places. There are few rooms, and a rename costs each of them as much as a poll. */
export function createKeepPlaces({ store, watch, hub }: KeepPlacesOptions): KeepPlaces {
  return async (guest, userId) => {
    for (const eventId of await store.listActiveEvents()) {
      const { outcome } = await store.rename(eventId, guest, userId);
      // A draw takes about a second. The retry does not repeat the renames that were done.
      if (outcome === 'drawing') throw new AppError('SIGN_IN_BUSY', { retryAfterSeconds: RETRY_SECONDS });
      if (outcome !== 'renamed' && outcome !== 'kept') continue;
      for (const visitor of [guest, userId]) watch.forget(eventId, visitor);
      endStreams(eventId, guest);
    }
  };

  /** The page reconnects, as the user. */
  function endStreams(eventId: string, guest: string): void {
    const watcher = hub.find(eventId, guest);
    if (watcher !== undefined) hub.end(watcher, formatBye('renamed'), 'renamed');
  }
}
