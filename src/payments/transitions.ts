/**
 * The states of a payment and what leads from one to the next: a total table, so that every happening in every state has
 * been thought of. Messages may come twice, late and out of order; `stay` is the answer to those that are old news.
 *
 * Each capture ends in `confirmed` or, by way of `refunding`, in `refunded`.
 */
export type PaymentState =
  /** The buyer was told what to pay. */
  | 'prepared'
  /** The provider was asked for the money; what it did may not be known yet. */
  | 'confirming'
  | 'confirmed'
  | 'declined'
  /** Given up before the money was asked for. */
  | 'cancelled'
  /** The money has to go back and is not known to be there yet. */
  | 'refunding'
  | 'refunded';

export type Happening =
  /** The buyer pays, and what they pay for is held for them. */
  | 'asked'
  /** The provider has the money. */
  | 'captured'
  | 'declined'
  /** The buyer, or whoever cancels the event, gives the reservation up. */
  | 'cancelled'
  /** The provider has given the money back. */
  | 'refunded';

export type Transition =
  | { to: PaymentState }
  /** To `confirmed` if the reservation can be confirmed in the same transaction, else to `refunding`. */
  | 'settle'
  | 'stay'
  /** It cannot be done, and whoever asked is told so. */
  | 'refuse';

/** Whether its buyer was let in to pay and their place inside is still to be given to the next. */
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
    // The money may be on its way: only when it is known where it is can it be given back.
    cancelled: 'refuse',
    refunded: 'stay',
  },
  confirmed: { asked: 'stay', captured: 'stay', declined: 'stay', cancelled: REFUND, refunded: { to: 'refunded' } },
  // A provider that first says no, or that we gave up on, and has the money after all.
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
