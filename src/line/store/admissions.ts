/** The port for the background roles that admit visitors and remove silent ones. Guarantees as in visits.ts. */
import type { Pulse } from '../estimate/pulse.ts';
import type { Tally } from '../model/line.ts';
import type { LineObserver, NoRoom } from './visits.ts';

export interface Admissions {
  /** The events to tick: those with visitors in line or inside, now or at the last tick. */
  listActiveEvents(): Promise<string[]>;
  /**
   * Admits as many from the head as the room allows. Safe to call concurrently. With a lock it does nothing and
   * throws (StoreUnavailableError) if another process has taken the lock since, or if the call was held up for too long.
   */
  tick(eventId: string, lock?: AdmissionLock): Promise<TickOutcome>;
  /** Takes the right to tick the room; undefined while another process has it. */
  tryLockAdmission(eventId: string): Promise<AdmissionLock | undefined>;
  /** The measurement of the last tick, by any process; undefined before the first, and while nobody is there. */
  findPulse(eventId: string): Promise<Pulse | undefined>;
  /** Removes waiters who have been silent for too long, a bounded number per call. */
  sweep(eventId: string): Promise<SweepOutcome>;
}

/** Expires soon after the next tick is due; the holder may renew it before. */
export interface AdmissionLock {
  /** What a tick shows to the store; absent where a single process needs none. */
  readonly lease?: AdmissionLease;
  release(): Promise<void>;
}

export interface AdmissionLease {
  holder: string;
  /** By the store's clock, in ms. */
  tickBy: number;
}

export type TickOutcome =
  | {
      outcome: 'ticked';
      /** Admitted by this tick, in order. */
      admitted: { visitor: string; number: number }[];
      /** What ended since the last tick. */
      tally: Tally;
      more: boolean;
      pulse: Pulse;
    }
  | NoRoom;
export type SweepOutcome = { outcome: 'swept'; more: boolean } | NoRoom;

/** Reports every visitor whom a tick admits to the observer. */
export function observeAdmissions(admissions: Admissions, observer: LineObserver): Admissions {
  return {
    async tick(eventId, lock) {
      const outcome = await admissions.tick(eventId, lock);
      if (outcome.outcome === 'ticked') {
        for (const { visitor } of outcome.admitted) observer.admitted(eventId, visitor);
      }
      return outcome;
    },
    listActiveEvents: () => admissions.listActiveEvents(),
    tryLockAdmission: (eventId) => admissions.tryLockAdmission(eventId),
    findPulse: (eventId) => admissions.findPulse(eventId),
    sweep: (eventId) => admissions.sweep(eventId),
  };
}
