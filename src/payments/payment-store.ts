/**
 * The port to payments. Every verb is one transaction that includes the change of the reservation, and is safe to repeat.
 * Expected outcomes are values.
 */
import type { PaymentType } from '../records/record.ts';
import type { Excess } from '../shop/payables.ts';
import type { PaymentState } from './transitions.ts';

export interface PaymentStore {
  /** Returns the order for a held reservation, a transfer or a membership: the open one, or a new one. */
  prepare(referenceId: string, visitor: string, paymentType?: PaymentType): Promise<PrepareOutcome>;
  /** Starts the confirmation. The provider may be called only after `asked`. */
  ask(request: AskRequest): Promise<AskOutcome>;
  /** Applies what the provider did. A message that was already processed changes nothing. */
  settle(orderId: string, happened: 'captured' | 'declined' | 'refunded', message?: string): Promise<SettleOutcome>;
  /**
   * Cancels a reservation in any state, with its open orders, and refunds the current owner. Former owners were paid when
   * they transferred it.
   */
  cancel(reservationId: string): Promise<CancelOutcome>;
  find(by: { orderId: string } | { paymentKey: string }): Promise<Payment | undefined>;
  /** Newest first; at most one page. */
  listOf(visitor: string): Promise<Payment[]>;
  /** Takes the payments that are due for a check; other processes do not get them for a while. */
  takeDue(): Promise<Payment[]>;
  /** Whether any payment is or becomes due for a check. */
  hasDue(): Promise<boolean>;
  /** Marks the buyer's slot as released. */
  noteReleased(orderId: string): Promise<void>;
}

export interface Payment {
  orderId: string;
  paymentKey: string;
  paymentType: PaymentType;
  /** The id of the reservation, transfer or membership that is paid for. */
  referenceId: string;
  /** The reservation that is bought or transferred; null for a membership. */
  reservationId: string | null;
  eventId: string | null;
  visitor: string;
  /** The admission under which the buyer paid; undefined without one. */
  admission: string | undefined;
  amount: number;
  currency: string;
  state: PaymentState;
  method: string | undefined;
  isReleased: boolean;
  createdAt: number;
  /** When the provider was last called for a capture. */
  askedAt: number | undefined;
  /** Increases with each confirmed payment; kept after a refund. */
  confirmedNo: number | undefined;
}

export interface AskRequest {
  orderId: string;
  visitor: string;
  /** As the buyer knows them; compared with the order. */
  paymentKey: string;
  amount: number;
  currency: string | undefined;
  method: string;
  /** The id of the buyer's entry token, checked; needed to pay for a hold that has ended. */
  admission?: string | undefined;
}

export type PrepareOutcome =
  | { outcome: 'prepared'; payment: Payment }
  | { outcome: 'no-payable' }
  | { outcome: 'not-held' }
  | { outcome: 'already-paid' }
  | ({ outcome: 'over-limit' } & Excess);
export type AskOutcome =
  | { outcome: 'asked' | 'already'; payment: Payment }
  | { outcome: 'refused'; state: PaymentState }
  | { outcome: 'mismatch'; field: 'paymentKey' | 'amount' | 'currency' }
  | { outcome: 'no-payment' | 'hold-ended' }
  /** The hold has ended: ask again with an admission to the event. */
  | { outcome: 'needs-admission'; eventId: string }
  | ({ outcome: 'over-limit' } & Excess);
export type SettleOutcome = { outcome: 'settled' | 'known'; payment: Payment } | { outcome: 'no-payment' };
export type CancelOutcome =
  | { outcome: 'cancelled'; refunding: Payment[] }
  | { outcome: 'in-progress' | 'not-cancellable' | 'no-reservation' };
