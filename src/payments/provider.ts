/**
 * The port to whoever moves the money. Every verb may be repeated with the same order id without moving it twice. A
 * provider may be slow, fail, or answer never: what it did is then found out with `find`, or it calls back.
 */
export interface Provider {
  readonly name: string;
  capture(charge: Charge, signal: AbortSignal): Promise<'captured' | 'declined' | 'pending'>;
  /** What became of an order; `none` if the provider has never heard of it. */
  find(orderId: string): Promise<ChargeState>;
  /** All of it. Resolves when the provider has taken it on for certain. */
  refund(orderId: string): Promise<void>;
}

export type ChargeState = 'none' | 'pending' | 'captured' | 'declined' | 'refunded';

export interface Charge {
  orderId: string;
  paymentKey: string;
  amount: number;
  currency: string;
  /** What the buyer pays with, as the provider names it; never a card number. */
  method: string;
}
