/** Releases the buyer's slot after a purchase, so that the next visitor in line can be admitted. */
import type { LineStore } from '../line/store/line-store.ts';
import type { LineWatch } from '../line/store/line-watch.ts';
import type { Payment } from './payment-store.ts';

export interface ReleaseSlotOptions {
  line: { store: Pick<LineStore, 'leave'>; watch: Pick<LineWatch, 'forget'> };
  /** Writes the stock of an event to its line. */
  stock: { project(eventId: string): Promise<void> };
}

/** Ends this admission of the buyer and no later one. Safe to repeat. */
export type ReleaseSlot = (payment: Pick<Payment, 'eventId' | 'visitor' | 'admission'>) => Promise<void>;

export function createReleaseSlot({ line, stock }: ReleaseSlotOptions): ReleaseSlot {
  return async ({ eventId, visitor, admission }) => {
    if (eventId === null || admission === undefined) return;
    // Stock first: a line that follows the stock must not admit a visitor for the ticket that was just sold.
    await stock.project(eventId);
    await line.store.leave(eventId, visitor, admission);
    line.watch.forget(eventId, visitor);
  };
}
