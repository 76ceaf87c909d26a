/** What payments need of whatever is paid for, in the transaction that changes a payment: one of these for each type. */
import type { Transaction } from '../platform/database/database.ts';
import type { PaymentType } from '../records/record.ts';

export type Payables = Readonly<Record<PaymentType, PayableChanges>>;

/** `payer`: who pays, where that may be anybody. */
export interface PayableChanges {
  find(tx: Transaction, referenceId: string, payer: string): Promise<Payable | undefined>;
  /** What stands against the payer's having it, whoever else has it: undefined if nothing does. */
  excess?(tx: Transaction, referenceId: string, now: Date, payer: string): Promise<Excess | undefined>;
  /** Keeps what is held until `until`, or takes it again; false if it is somebody else's by now. */
  keep(tx: Transaction, referenceId: string, now: Date, until: Date, payer: string): Promise<boolean>;
  /** Paid: false if it cannot be had by this payment. */
  confirm(tx: Transaction, referenceId: string, now: Date, payer: string): Promise<boolean>;
  /** Gives back what was had by the payment; false if there was nothing to give up. */
  cancel(tx: Transaction, referenceId: string, now: Date): Promise<boolean>;
}

/** More tickets than one person may have. */
export interface Excess {
  limit: number;
  have: number;
}

export interface Payable {
  /** Who may pay. */
  visitor: string;
  /** By which they were let in to buy it; null where nobody has to be. */
  admission: string | null;
  reservationId: string | null;
  eventId: string | null;
  amount: number;
  currency: string;
  state: 'held' | 'confirmed' | 'expired' | 'cancelled';
}
