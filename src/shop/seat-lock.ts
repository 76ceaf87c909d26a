/**
 * The port to locks on seats that only spare the database contention: those who want the same seat queue up outside of
 * it. Without them, or past their end, selling is as safe.
 */
export interface SeatLock {
  /** Runs `work` with the seats locked; `busy` if they could not be had in time. */
  with<T>(eventId: string, seatIds: readonly string[], work: () => Promise<T>): Promise<T | 'busy'>;
  close(): Promise<void>;
}

/** No locks: the database alone. */
export const noSeatLock: SeatLock = { with: (_eventId, _seatIds, work) => work(), close: async () => {} };
