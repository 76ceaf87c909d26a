/** What a payment needs from the thing it pays for, in its own transaction: one implementation per payment type. */
import type { Transaction } from '../platform/database/database.ts';
import type { PaymentType } from '../records/record.ts';

export type Payables = Readonly<Record<PaymentType, PayableChanges>>;

/** `payer`: the buyer, where anyone can buy. */
export interface PayableChanges {
  find(tx: Transaction, referenceId: string, payer: string): Promise<Payable | undefined>;
  /** How far the purchase would exceed the payer's ticket limit; undefined if it would not. */
  excess?(tx: Transaction, referenceId: string, now: Date, payer: string): Promise<Excess | undefined>;
  /** Keeps the hold until `until`, or takes it again; false if another visitor has it. */
  keep(tx: Transaction, referenceId: string, now: Date, until: Date, payer: string): Promise<boolean>;
  /** Completes the purchase; false if that is no longer possible. */
  confirm(tx: Transaction, referenceId: string, now: Date, payer: string): Promise<boolean>;
  /** Reverses the purchase; false if there was none. */
  cancel(tx: Transaction, referenceId: string, now: Date): Promise<boolean>;
}

/** More tickets than the event allows per person. */
export interface Excess {
  limit: number;
  have: number;
}

export interface Payable {
  /** The visitor who can pay. */
  visitor: string;
  /** The admission under which they buy; null where none is needed. */
  admission: string | null;
  reservationId: string | null;
  eventId: string | null;
  amount: number;
  currency: string;
  state: 'held' | 'confirmed' | 'expired' | 'cancelled';
}
