/**
 * The port to the payment provider. Every verb is idempotent by order id. A provider can be slow, fail or never respond; `find`
 * or a webhook then says what it did.
 */
export interface Provider {
  readonly name: string;
  capture(charge: Charge, signal: AbortSignal): Promise<'captured' | 'declined' | 'pending'>;
  /** The state of an order; `none` if the provider does not know it. */
  find(orderId: string): Promise<ChargeState>;
  /** Refunds the full amount. Resolves when the provider has accepted the refund. */
  refund(orderId: string): Promise<void>;
}

export type ChargeState = 'none' | 'pending' | 'captured' | 'declined' | 'refunded';

export interface Charge {
  orderId: string;
  paymentKey: string;
  amount: number;
  currency: string;
  /** The payment method in the provider's terms; never a card number. */
  method: string;
}
