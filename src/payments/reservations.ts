/** What payments need of the shop, in the transaction that changes a payment. */
import type { Transaction } from '../platform/database/database.ts';

export interface Reservations {
  find(tx: Transaction, reservationId: string): Promise<Payable | undefined>;
  /** Keeps what is held until `until`, or takes it again; false if it is somebody else's by now. */
  keep(tx: Transaction, reservationId: string, now: Date, until: Date): Promise<boolean>;
  /** Paid: false if it cannot be confirmed by this payment. */
  confirm(tx: Transaction, reservationId: string, now: Date): Promise<boolean>;
  /** Gives back what it has; false if there was nothing to give up. */
  cancel(tx: Transaction, reservationId: string, now: Date): Promise<boolean>;
}

export interface Payable {
  visitor: string;
  admission: string | null;
  eventId: string;
  amount: number;
  currency: string;
  state: 'held' | 'confirmed' | 'expired' | 'cancelled';
}
