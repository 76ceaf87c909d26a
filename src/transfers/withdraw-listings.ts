/** A cancelled reservation cannot be bought: cancelling it withdraws its transfer in the same transaction. */
import type { PayableChanges } from '../shop/payables.ts';

type WithdrawListing = (...change: Parameters<PayableChanges['cancel']>) => Promise<void>;

export function withdrawListings(reservations: PayableChanges, withdrawListing: WithdrawListing): PayableChanges {
  return {
    ...reservations,
    async cancel(tx, reservationId, now) {
      const isCancelled = await reservations.cancel(tx, reservationId, now);
      if (isCancelled) await withdrawListing(tx, reservationId, now);
      return isCancelled;
    },
  };
}
