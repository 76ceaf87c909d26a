/**
 * The port to holds and reservations. A hold is a reservation that is not paid yet. Every verb is one transaction; a
 * repeated hold with the same key is the same hold. Expected outcomes are values.
 *
 * Deliberately absent: confirming, which belongs to the transaction that settles the payment (see payments/).
 */
export interface HoldStore {
  holdSeats(request: SeatsRequest): Promise<HoldOutcome>;
  holdTickets(request: TicketsRequest): Promise<HoldOutcome>;
  find(reservationId: string): Promise<Reservation | undefined>;
  /** The latest first; a bounded number. */
  listOf(visitor: string): Promise<Reservation[]>;
  /** Gives up a hold that is not paid. */
  release(reservationId: string): Promise<'released' | 'not-held'>;
  /** Frees holds that have ended, a bounded number; how many it freed. */
  freeEnded(): Promise<number>;
  /** Reservations that are still alive though their event was cancelled, in order, behind `after`; a bounded number. */
  listUnderCancelledEvents(after: string): Promise<string[]>;
}

interface HoldRequest {
  eventId: string;
  visitor: string;
  /** The token id by which the buyer is inside; what is bought ends that admission and no later one. */
  admission?: string | undefined;
  /** The caller's name for this request; the same again is answered with the same hold. */
  idempotencyKey?: string | null | undefined;
}

export interface SeatsRequest extends HoldRequest {
  seats: { ids: string[] } | { best: number; section?: string | undefined };
}

export interface TicketsRequest extends HoldRequest {
  tickets: { typeId: string; quantity: number }[];
}

export type HoldOutcome =
  | { outcome: 'held' | 'repeated'; reservation: Reservation }
  | { outcome: 'key-reused' | 'no-event' | 'not-on-sale' | 'none-together' }
  | { outcome: 'over-limit'; limit: number; have: number }
  | { outcome: 'unknown' | 'taken'; seats: string[] }
  | { outcome: 'unknown' | 'sold-out'; types: string[] };

export type ReservationState = 'held' | 'confirmed' | 'expired' | 'cancelled';

export interface Reservation {
  reservationId: string;
  eventId: string;
  visitor: string;
  /** A hold whose time is over counts as expired, whether or not anybody has freed it yet. */
  state: ReservationState;
  amount: number;
  currency: string;
  items: Item[];
  createdAt: number;
  holdEndsAt: number;
  confirmedAt: number | undefined;
  /** How often it has changed hands. */
  ticketNo: number;
}

export type Item =
  | { seatId: string; section: string; row: number; number: number; price: number }
  | { typeId: string; name: string; quantity: number; price: number };
