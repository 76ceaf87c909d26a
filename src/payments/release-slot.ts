/** Releases the buyer's slot after a purchase, so that the next visitor in line can be admitted. */
import type { Visits } from '../line/store/visits.ts';
import type { Payment } from './payment-store.ts';

export interface ReleaseSlotOptions {
  visits: Pick<Visits, 'leave'>;
  /** Writes the stock of an event to its line. */
  stock: { project(eventId: string): Promise<void> };
}

/** Ends this admission of the buyer and no later one. Safe to repeat. */
export type ReleaseSlot = (payment: Pick<Payment, 'eventId' | 'visitor' | 'admission'>) => Promise<void>;

export function createReleaseSlot({ visits, stock }: ReleaseSlotOptions): ReleaseSlot {
  return async ({ eventId, visitor, admission }) => {
    if (eventId === null || admission === undefined) return;
    // Stock first: a line that follows the stock must not admit a visitor for the ticket that was just sold.
    await stock.project(eventId);
    await visits.leave(eventId, visitor, admission);
  };
}
