/** What a payment needs from the thing it pays for, in its own transaction: one implementation per payment type. */
import type { Transaction } from '../platform/database/database.ts';
import type { PaymentType } from '../records/record.ts';

export type Payables = Readonly<Record<PaymentType, PayableChanges>>;

/** `payer`: the buyer, where anyone can buy. */
export interface PayableChanges {
  find(tx: Transaction, referenceId: string, payer: string): Promise<Payable | undefined>;
  /** How far the purchase would exceed the payer's ticket limit; undefined if it would not. */
  excess?(tx: Transaction, referenceId: string, now: Date, payer: string): Promise<Excess | undefined>;
  /** Keeps the hold while the payment is under way, or takes it again. Unless it is `kept`, nothing changes. */
  keep(tx: Transaction, referenceId: string, keeping: Keeping): Promise<KeepOutcome>;
  /**
   * Completes the purchase; false if that is no longer possible. `wasAsked`: the buyer confirmed the payment, so the hold was kept
   * for it.
   */
  confirm(tx: Transaction, referenceId: string, now: Date, payer: string, wasAsked: boolean): Promise<boolean>;
  /** Reverses the purchase; false if there was none. */
  cancel(tx: Transaction, referenceId: string, now: Date): Promise<boolean>;
}

export interface Keeping {
  payer: string;
  /** The id of the payer's entry token, checked; undefined: the payer has shown none. */
  admission: string | undefined;
  now: Date;
  until: Date;
}

export type KeepOutcome =
  /** `admission`: the one that the purchase will end, where there is one. */
  | { outcome: 'kept'; admission?: string | null }
  | { outcome: 'ended' }
  /** The hold has ended. To take it again, the payer must be admitted, as for a new hold. */
  | { outcome: 'needs-admission' }
  | ({ outcome: 'over-limit' } & Excess);

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
