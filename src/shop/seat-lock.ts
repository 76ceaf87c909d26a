/**
 * The port to seat locks, which only reduce contention in the database: requests for the same seat queue outside of it. Selling is
 * equally safe without them, or after they expire.
 */
export interface SeatLock {
  /** Runs `work` with the seats locked; `busy` if the locks were not free in time. */
  with<T>(eventId: string, seatIds: readonly string[], work: () => Promise<T>): Promise<T | 'busy'>;
  close(): Promise<void>;
}

/** No locks: only those of the database. */
export const noSeatLock: SeatLock = { with: (_eventId, _seatIds, work) => work(), close: async () => {} };
