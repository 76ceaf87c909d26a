/** What a tick has measured of a line: the basis of every waiting time that is told. Measured in estimate/pace.ts. */

/** Why a waiting time may have risen. */
export type WaitChange = 'slower' | 'limit' | 'resumed';

export interface Pace {
  /** When it was measured; 0 before the first tick. */
  at: number;
  /** Admissions per second as observed, undefined before the first observation. */
  observedPerSecond: number | undefined;
  /** How long a slot is taken on average, from letting somebody in until it is free again. Unknown before the first tick. */
  holdSeconds: number;
  /** The standard error of that, as a share of it. */
  holdError: number;
  /** The share of those waiting that leaves or lapses, per second. */
  departPerSecond: number;
  /** How long those inside have been there, all together. */
  insideSeconds: number;
  /** What has made waiting times rise in the last minute. */
  change: WaitChange | undefined;
  changedAt: number;
  /** What it was measured under. */
  limits: Limits;
}

export interface Limits {
  maxActive: number;
  perSecond: number;
  isOpen: boolean;
}

export const unmeasured: Pace = {
  at: 0,
  observedPerSecond: undefined,
  holdSeconds: 0,
  holdError: 0,
  departPerSecond: 0,
  insideSeconds: 0,
  change: undefined,
  changedAt: 0,
  limits: { maxActive: 0, perSecond: 0, isOpen: false },
};
