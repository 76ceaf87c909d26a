/** A guest who signs in keeps their places in line. */
import { AppError } from '../http/errors.ts';
import type { LineStore } from '../line/store/line-store.ts';
import type { LineWatch } from '../line/store/line-watch.ts';

const DRAWING_SECONDS = 2;

export interface KeepPlacesOptions {
  store: Pick<LineStore, 'listActiveEvents' | 'rename'>;
  watch: Pick<LineWatch, 'forget'>;
  /** Told where the guest is no more, so that what is open under that name can be opened again under the other. */
  onRenamed: (eventId: string, guest: string) => void;
}

export type KeepPlaces = (guest: string, userId: string) => Promise<void>;

/** No index says where a visitor has places; there are few rooms, and asking one costs it as much as a poll. */
export function createKeepPlaces({ store, watch, onRenamed }: KeepPlacesOptions): KeepPlaces {
  return async (guest, userId) => {
    for (const eventId of await store.listActiveEvents()) {
      const { outcome } = await store.rename(eventId, guest, userId);
      // Over in a second or so; what was done until then is not done again.
      if (outcome === 'drawing') throw new AppError('SIGN_IN_BUSY', { retryAfterSeconds: DRAWING_SECONDS });
      if (outcome !== 'renamed' && outcome !== 'kept') continue;
      for (const visitor of [guest, userId]) watch.forget(eventId, visitor);
      onRenamed(eventId, guest);
    }
  };
}
