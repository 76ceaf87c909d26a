/**
 * The state of tier 1 for one event. A position is the number of a device; every device up to the serving counter has
 * had its turn.
 */
export interface Counters {
  readonly eventId: string;
  /** New for every activation: a signed place of an earlier activation is invalid. */
  readonly activation: string;
  readonly state: Tier1State;
  /** The last position assigned. The name is that of the DynamoDB table, which other programs read. */
  readonly nextPosition: number;
  /** At most nextPosition, and never decreases. */
  readonly servingCounter: number;
  /** The time in ms up to which the serving counter has advanced. */
  readonly advancedAt: number;
}

/**
 * `opening`: the line hands its number sequence over; `closing`: the line takes it back. Both are finished by
 * switching.ts, and no positions are assigned meanwhile.
 */
export type Tier1State = 'opening' | 'active' | 'closing' | 'inactive';

/** Serves batchSize devices per cycle, spread evenly. */
export interface Pace {
  batchSize: number;
  cycleMs: number;
}

/** Whether a device may pass: its turn has come, or tier 1 is inactive. */
export function isServed({ state, servingCounter }: Counters, position: number): boolean {
  return state === 'inactive' || position <= servingCounter;
}

export function countAhead({ servingCounter }: Counters, position: number): number {
  return Math.max(0, position - servingCounter);
}

export function countWaiting({ nextPosition, servingCounter }: Counters): number {
  return nextPosition - servingCounter;
}
