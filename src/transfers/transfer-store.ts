/**
 * The port to transfers: a visitor lists a reservation and another buys it. Every verb is one transaction; expected outcomes are
 * values. Paying is part of the payment's transaction (see shop/payables.ts), handing over of the transaction that consumes the
 * payment's record.
 */
import type { Item } from '../shop/hold-store.ts';

export interface TransferStore {
  /** `price`: at most the amount paid, to prevent scalping. */
  list(reservationId: string, seller: string, price: number): Promise<ListOutcome>;
  find(transferId: string): Promise<Transfer | undefined>;
  /** The open listings of an event, or of all events, newest first; at most one page. */
  listOpen(eventId: string | undefined): Promise<Transfer[]>;
  /** What the visitor has listed, sold or bought, newest first; at most one page. */
  listOf(visitor: string): Promise<Transfer[]>;
  cancel(transferId: string, seller: string): Promise<CancelTransferOutcome>;
}

export type TransferState =
  | 'listed'
  /** Paid, not handed over yet. */
  | 'paid'
  | 'completed'
  | 'cancelled';

export interface Transfer {
  transferId: string;
  reservationId: string;
  eventId: string;
  items: Item[];
  seller: string;
  buyer: string | undefined;
  price: number;
  currency: string;
  state: TransferState;
  createdAt: number;
  completedAt: number | undefined;
}

export type ListOutcome =
  | { outcome: 'listed' | 'already'; transfer: Transfer }
  | { outcome: 'no-reservation' }
  | { outcome: 'not-transferable' }
  | { outcome: 'too-dear'; most: number };
export type CancelTransferOutcome =
  | { outcome: 'cancelled'; transfer: Transfer }
  /** A buyer is paying, or has paid. */
  | { outcome: 'in-progress' }
  | { outcome: 'over' }
  | { outcome: 'no-transfer' };
