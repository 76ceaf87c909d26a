/** A guest who signs in keeps their places in line. */
import { AppError } from '../http/errors.ts';
import type { Admissions } from '../line/store/admissions.ts';
import type { Visits } from '../line/store/visits.ts';

const DRAWING_SECONDS = 2;

export interface KeepPlacesOptions {
  visits: Pick<Visits, 'rename'>;
  admissions: Pick<Admissions, 'listActiveEvents'>;
  /** Told where the guest is no more, so that what is open under that name can be opened again under the other. */
  onRenamed: (eventId: string, guest: string) => void;
}

export type KeepPlaces = (guest: string, userId: string) => Promise<void>;

/** No index says where a visitor has places; there are few rooms, and asking one costs it as much as a poll. */
export function createKeepPlaces({ visits, admissions, onRenamed }: KeepPlacesOptions): KeepPlaces {
  return async (guest, userId) => {
    for (const eventId of await admissions.listActiveEvents()) {
      const { outcome } = await visits.rename(eventId, guest, userId);
      // Over in a second or so; what was done until then is not done again.
      if (outcome === 'drawing') throw new AppError('SIGN_IN_BUSY', { retryAfterSeconds: DRAWING_SECONDS });
      if (outcome !== 'renamed' && outcome !== 'kept') continue;
      onRenamed(eventId, guest);
    }
  };
}
