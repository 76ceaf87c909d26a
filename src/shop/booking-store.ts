/**
 * The port to bookings: the short codes of paid reservations, and what buyers said about themselves. That is personal data: only
 * the buyer and operators see it, and nothing of it goes into logs, records or the audit trail.
 */
export interface BookingStore {
  /** The code of a confirmed reservation; made and stored by the first call. */
  codeOf(reservationId: string): Promise<string>;
  /** The confirmed reservation with this code, and the email of its buyer if they gave one. */
  findByCode(code: string): Promise<Booking | undefined>;
  /** Stores or replaces the buyer of a reservation that is held or confirmed. */
  putBuyer(reservationId: string, buyer: Buyer): Promise<'stored' | 'over'>;
  findBuyer(reservationId: string): Promise<Buyer | undefined>;
  /** Erases the buyers of reservations that ended long enough ago; returns their number. */
  eraseBuyers(): Promise<number>;
}

export interface Booking {
  reservationId: string;
  email: string | undefined;
}

export interface Buyer {
  name: string;
  email: string;
  phone: string;
}
