/**
 * The port to holds and reservations. A hold is an unpaid reservation. Every verb is one transaction; a hold repeated with the
 * same idempotency key is the same hold. Expected outcomes are values.
 *
 * Deliberately absent: confirming, which is part of the payment's transaction (see payments/).
 */
export interface HoldStore {
  holdSeats(request: SeatsRequest): Promise<HoldOutcome>;
  holdTickets(request: TicketsRequest): Promise<HoldOutcome>;
  find(reservationId: string): Promise<Reservation | undefined>;
  /** Newest first; at most one page. */
  listOf(visitor: string): Promise<Reservation[]>;
  /** Prolongs a live hold for its visitor, once; a repeated request changes nothing. */
  extend(reservationId: string, visitor: string): Promise<'extended' | 'repeated' | 'ended' | 'unknown'>;
  /** Releases an unpaid hold. */
  release(reservationId: string): Promise<'released' | 'not-held'>;
  /** Expires a batch of holds that have ended; returns their number. */
  freeEnded(): Promise<number>;
  /** Whether anything is held, also if its time is over. */
  hasHeld(): Promise<boolean>;
  /** A page of the live reservations of cancelled events, sorted by id, after the id `after`. */
  listUnderCancelledEvents(after: string): Promise<string[]>;
}

interface HoldRequest {
  eventId: string;
  visitor: string;
  /** The id of the buyer's entry token; the purchase ends this admission and no later one. */
  admission?: string | undefined;
  /** A repeated request with the same key returns the same hold. */
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
  | { outcome: 'key-reused' | 'no-event' | 'none-together' }
  | { outcome: 'not-on-sale'; because: 'cancelled' | 'ended' }
  /** Members can buy from `membersFrom` on. */
  | { outcome: 'too-early'; onSaleAt: string; membersFrom: string }
  | { outcome: 'over-limit'; limit: number; have: number }
  | { outcome: 'unknown' | 'taken'; seats: string[] }
  | { outcome: 'unknown' | 'sold-out'; types: string[] };

export type ReservationState = 'held' | 'confirmed' | 'expired' | 'cancelled';

export interface Reservation {
  reservationId: string;
  eventId: string;
  visitor: string;
  /** A hold that has ended counts as expired, even before it is swept. */
  state: ReservationState;
  amount: number;
  currency: string;
  items: Item[];
  createdAt: number;
  holdEndsAt: number;
  confirmedAt: number | undefined;
  /** The number of transfers so far. */
  ticketNo: number;
  /** Whether its visitor has prolonged the hold. */
  isExtended: boolean;
  /** undefined until the paid reservation was first shown. */
  bookingCode: string | undefined;
}

export type Item = SeatItem | { typeId: string; name: string; quantity: number; price: number };

/** `row` and `number` count from 1; the labels and the name of the section are what people read. */
export interface SeatItem {
  seatId: string;
  section: string;
  row: number;
  number: number;
  price: number;
  sectionName: string;
  rowLabel: string;
  seatLabel: string;
  /** The row is a table. */
  kind?: 'table';
  access?: 'wheelchair' | 'companion';
}
