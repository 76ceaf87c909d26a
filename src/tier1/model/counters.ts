/**
 * How the numbering of one event stands. A position is the number that a device was given; everybody up to the serving
 * counter has had their turn.
 */
export interface Counters {
  readonly eventId: string;
  /** Made anew each time tier 1 is switched on: a place from an earlier time is worth nothing now. */
  readonly activation: string;
  readonly state: Tier1State;
  /** The last position given; the name is that of the table that other programs read. */
  readonly nextPosition: number;
  /** Never above nextPosition, never falling. */
  readonly servingCounter: number;
  /** Up to when the serving counter has been given its share of advance, in ms. */
  readonly advancedAt: number;
}

/**
 * `opening`: the line is being asked where its numbers stand; `closing`: it is being told where ours do. Both end by
 * themselves (see switching.ts); in neither are positions given.
 */
export type Tier1State = 'opening' | 'active' | 'closing' | 'inactive';

/** How many are served, evenly over the cycle. */
export interface Pace {
  batchSize: number;
  cycleMs: number;
}

/** Who is past the numbering: whoever had their turn, and everybody once it is switched off. */
export function isServed({ state, servingCounter }: Counters, position: number): boolean {
  return state === 'inactive' || position <= servingCounter;
}

export function countAhead({ servingCounter }: Counters, position: number): number {
  return Math.max(0, position - servingCounter);
}

export function countWaiting({ nextPosition, servingCounter }: Counters): number {
  return nextPosition - servingCounter;
}
