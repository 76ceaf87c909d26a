/**
 * The port to where payments are kept. Every verb is one transaction, together with what it does to the reservation,
 * and may be repeated blindly. Expected outcomes are values.
 */
import type { PaymentState } from './transitions.ts';

export interface PaymentStore {
  /** The order by which a held reservation is paid: the one there is, or a new one. */
  prepare(reservationId: string, visitor: string): Promise<PrepareOutcome>;
  /** The buyer pays. Only after `asked` may the provider be asked for the money. */
  ask(request: AskRequest): Promise<AskOutcome>;
  /** What the provider did. A message that was received before changes nothing. */
  settle(orderId: string, happened: 'captured' | 'declined' | 'refunded', message?: string): Promise<SettleOutcome>;
  /** Gives up a reservation, whatever state it is in, with all its payments. */
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
  reservationId: string;
  eventId: string;
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
  | { outcome: 'no-reservation' }
  | { outcome: 'not-held' }
  | { outcome: 'already-paid' };
export type AskOutcome =
  | { outcome: 'asked' | 'already'; payment: Payment }
  | { outcome: 'refused'; state: PaymentState }
  | { outcome: 'mismatch'; field: 'paymentKey' | 'amount' | 'currency' }
  | { outcome: 'no-payment' | 'hold-ended' };
export type SettleOutcome = { outcome: 'settled' | 'known'; payment: Payment } | { outcome: 'no-payment' };
export type CancelOutcome =
  | { outcome: 'cancelled'; refunding: Payment[] }
  | { outcome: 'in-progress' | 'not-cancellable' | 'no-reservation' };
