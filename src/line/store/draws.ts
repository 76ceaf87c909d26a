/** The port for rooms whose order is drawn by lot. Guarantees as in visits.ts. */
import type { NoRoom } from './visits.ts';

export interface Draws {
  /**
   * Does the next bounded step of the room's draw, once it is due. Safe to call concurrently. Only the last step is
   * durable when this resolves: steps lost in a crash are repeated with the same result.
   */
  draw(eventId: string): Promise<DrawOutcome>;
  /** What is public about the room's draw; undefined where it has none. */
  findDraw(eventId: string): Promise<DrawAnnouncement | undefined>;
  /** Lots of a finished draw, 16 bytes each, ascending, from the `from`-th on; fewer at the end. */
  readDrawEntries(eventId: string, from: number, count: number): Promise<Buffer>;
}

/** The commitment is public from the start; the rest once the draw is done. */
export type DrawAnnouncement = { phase: 'announced' | 'drawing'; opensAt: string; commitment: string } | DrawResult;

export interface DrawResult {
  phase: 'drawn';
  opensAt: string;
  commitment: string;
  seed: string;
  listHash: string;
  entries: number;
  firstNumber: number;
  drawnAt: number;
}

export type DrawOutcome =
  /** There is none, or it is not due. */
  | { outcome: 'nothing' }
  /** One step was done; call again at once. */
  | { outcome: 'drawing' }
  | { outcome: 'drawn' }
  | NoRoom;
