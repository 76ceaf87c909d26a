/**
 * The port to who may not join or wait, whatever the room says: visitors and addresses that operators have banned, and, in a
 * room that is open to some only, everyone else. Answers from memory, because it is asked with every join and poll.
 */
import type { Caller } from '../platform/http-server/callers.ts';

export interface DoorRule {
  /** undefined: the visitor may go on. `visitor`: undefined for a guest who has no id yet. */
  findRefusal(question: DoorQuestion, verb: 'join' | 'stay'): DoorRefusal | undefined;
  /** Whether an operator has lately taken a place or a session from the visitor. */
  wasEjected(eventId: string, visitor: string): boolean;
}

export interface DoorQuestion {
  eventId: string;
  visitor: string | undefined;
  caller: Pick<Caller, 'ip' | 'headers'>;
}

export interface DoorRefusal {
  code: 'BANNED' | 'NOT_ALLOWED';
  /** When it ends; undefined: not known. */
  until: number | undefined;
}
