/** The port through which tier 1 takes over the numbering of a line and gives it back. Guarantees as in visits.ts. */
import type { NoRoom } from './visits.ts';

export interface Numbers {
  /** From now on tier 1 assigns the numbers, after the last one given here: nobody joins without one. */
  handOverNumbers(eventId: string, activation: string): Promise<HandOverOutcome>;
  /** The line assigns numbers again, after `last`, unless it has been handed over to another activation since. */
  takeNumbersBack(eventId: string, activation: string, last: number): Promise<void>;
}

export type HandOverOutcome = { outcome: 'handed-over'; last: number } | NoRoom;
