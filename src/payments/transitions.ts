/**
 * The state machine of a payment, as a total table: every happening in every state is decided. Messages can arrive twice, late
 * and out of order; `stay` ignores outdated ones.
 *
 * Each capture ends in `confirmed` or, by way of `refunding`, in `refunded`.
 */
export type PaymentState =
  /** The order exists; nothing was charged. */
  | 'prepared'
  /** The provider was called; its result may not be known yet. */
  | 'confirming'
  | 'confirmed'
  | 'declined'
  /** Cancelled before the provider was called. */
  | 'cancelled'
  /** The refund is not confirmed by the provider yet. */
  | 'refunding'
  | 'refunded';

export type Happening =
  /** The buyer confirms, and the items are held for them. */
  | 'asked'
  /** The provider captured the payment. */
  | 'captured'
  | 'declined'
  /** The buyer cancels the reservation, or an operator the event. */
  | 'cancelled'
  /** The provider refunded the payment. */
  | 'refunded';

export type Transition =
  | { to: PaymentState }
  /** To `confirmed` if the purchase can be confirmed in the same transaction, else to `refunding`. */
  | 'settle'
  | 'stay'
  /** Not possible in this state; the caller gets an error. */
  | 'refuse';

/** Whether the buyer still occupies a slot that must be released. */
export function holdsSlot(payment: { paymentType: string; isReleased: boolean }): boolean {
  return payment.paymentType === 'reservation' && !payment.isReleased;
}

const REFUND: Transition = { to: 'refunding' };

export const transitions: Readonly<Record<PaymentState, Readonly<Record<Happening, Transition>>>> = {
  prepared: {
    asked: { to: 'confirming' },
    captured: 'settle',
    declined: { to: 'declined' },
    cancelled: { to: 'cancelled' },
    refunded: 'stay',
  },
  confirming: {
    asked: 'stay',
    captured: 'settle',
    declined: { to: 'declined' },
    // The capture may be under way: a refund must wait for its result.
    cancelled: 'refuse',
    refunded: 'stay',
  },
  confirmed: { asked: 'stay', captured: 'stay', declined: 'stay', cancelled: REFUND, refunded: { to: 'refunded' } },
  // The provider can capture a payment after declining it, or after we abandoned it.
  declined: { asked: 'refuse', captured: 'settle', declined: 'stay', cancelled: { to: 'cancelled' }, refunded: 'stay' },
  cancelled: { asked: 'refuse', captured: 'settle', declined: 'stay', cancelled: 'stay', refunded: 'stay' },
  refunding: {
    asked: 'refuse',
    captured: 'stay',
    declined: 'stay',
    cancelled: 'stay',
    refunded: { to: 'refunded' },
  },
  refunded: { asked: 'refuse', captured: 'stay', declined: 'stay', cancelled: 'stay', refunded: 'stay' },
};
