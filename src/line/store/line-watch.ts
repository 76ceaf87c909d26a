/** How a visitor who comes back to ask is answered. The store itself is one way; `RulerWatch` spares a remote store. */
import type { LookOutcome } from './visits.ts';

export interface LineWatch {
  /** Where the visitor stands, noting that they are there; it may be a tick old, never an admission late by more. */
  look(eventId: string, visitor: string): Promise<LookOutcome>;
  /** The same, but whoever is admitted stays so: see LineStore.stay. */
  stay(eventId: string, visitor: string): Promise<LookOutcome>;
  /** The visitor did something here that changes where they stand: whatever was remembered no longer holds. */
  forget(eventId: string, visitor: string): void;
}
