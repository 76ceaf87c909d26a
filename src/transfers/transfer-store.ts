/**
 * The port to transfers: a reservation that its owner lists and another buys. Every verb is one transaction; expected
 * outcomes are values. Paying for one belongs to the transaction of the payment (see payments/payables.ts), handing it
 * over to that of the record that it was paid.
 */
import type { Item } from '../shop/hold-store.ts';

export interface TransferStore {
  /** `price`: at most what was paid for it, so that nobody deals in tickets. */
  list(reservationId: string, seller: string, price: number): Promise<ListOutcome>;
  find(transferId: string): Promise<Transfer | undefined>;
  /** What is to be had of an event; the latest first, a bounded number. */
  listOpen(eventId: string): Promise<Transfer[]>;
  /** What somebody has sold, listed or bought; the latest first, a bounded number. */
  listOf(visitor: string): Promise<Transfer[]>;
  cancel(transferId: string, seller: string): Promise<CancelTransferOutcome>;
}

export type TransferState =
  | 'listed'
  /** Paid for and about to be handed over. */
  | 'paid'
  | 'completed'
  | 'cancelled';

export interface Transfer {
  transferId: string;
  reservationId: string;
  eventId: string;
  /** What is handed over. */
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
  /** Somebody is about to pay for it, or has. */
  | { outcome: 'in-progress' }
  | { outcome: 'over' }
  | { outcome: 'no-transfer' };
