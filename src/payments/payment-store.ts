/**
 * The port to where payments are kept. Every verb is one transaction, together with what it does to the reservation,
 * and may be repeated blindly. Expected outcomes are values.
 */
import type { PaymentType } from '../records/record.ts';
import type { Excess } from '../shop/payables.ts';
import type { PaymentState } from './transitions.ts';

export interface PaymentStore {
  /** The order by which the visitor pays for a held reservation, or for what the type says: the one there is, or a new one. */
  prepare(referenceId: string, visitor: string, paymentType?: PaymentType): Promise<PrepareOutcome>;
  /** The buyer pays. Only after `asked` may the provider be asked for the money. */
  ask(request: AskRequest): Promise<AskOutcome>;
  /** What the provider did. A message that was received before changes nothing. */
  settle(orderId: string, happened: 'captured' | 'declined' | 'refunded', message?: string): Promise<SettleOutcome>;
  /**
   * Gives up a reservation, whatever state it is in, with all that is still to be paid for it, and refunds whoever has
   * it now. What former owners paid has been settled between them when it changed hands.
   */
  cancel(reservationId: string): Promise<CancelOutcome>;
  find(by: { orderId: string } | { paymentKey: string }): Promise<Payment | undefined>;
  /** The latest first; a bounded number. */
  listOf(visitor: string): Promise<Payment[]>;
  /** Payments that somebody must look after now; nobody else is given them for a while. */
  takeDue(): Promise<Payment[]>;
  /** The buyer's place inside was given to the next. */
  noteReleased(orderId: string): Promise<void>;
}

export interface Payment {
  orderId: string;
  paymentKey: string;
  paymentType: PaymentType;
  /** What is paid for: the id of a reservation, a transfer or a membership. */
  referenceId: string;
  /** The reservation that it is about, also when it changes hands; null for a membership. */
  reservationId: string | null;
  eventId: string | null;
  visitor: string;
  /** By which the buyer was inside; undefined where nobody was let in for it. */
  admission: string | undefined;
  amount: number;
  currency: string;
  state: PaymentState;
  method: string | undefined;
  isReleased: boolean;
  createdAt: number;
  /** When the provider was last asked for the money. */
  askedAt: number | undefined;
  /** In the order in which payments became purchases; kept even if the money has gone back since. */
  confirmedNo: number | undefined;
}

export interface AskRequest {
  orderId: string;
  visitor: string;
  /** What the buyer believes; compared with what we know. */
  paymentKey: string;
  amount: number;
  currency: string | undefined;
  method: string;
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
  | ({ outcome: 'over-limit' } & Excess);
export type SettleOutcome = { outcome: 'settled' | 'known'; payment: Payment } | { outcome: 'no-payment' };
export type CancelOutcome =
  | { outcome: 'cancelled'; refunding: Payment[] }
  | { outcome: 'in-progress' | 'not-cancellable' | 'no-reservation' };
