/** The pace of a line, measured by each tick (estimate/pace.ts): the basis of every waiting time. */

/** Why a waiting time may have risen. */
export type WaitChange = 'slower' | 'limit' | 'resumed' | 'site';

export interface Pace {
  /** When it was measured; 0 before the first tick. */
  at: number;
  /** Admissions per second; undefined before the first observation. */
  observedPerSecond: number | undefined;
  /** The mean slot time, from an admission until the slot is free again; meaningless before the first tick. */
  slotSeconds: number;
  /** The standard error of slotSeconds, relative to it. */
  slotError: number;
  /** The share of waiting visitors who leave or lapse per second. */
  departPerSecond: number;
  /** Sum over everyone inside of the time since admission. */
  insideSeconds: number;
  /** Why waiting times rose in the last minute. */
  change: WaitChange | undefined;
  changedAt: number;
  /** The line before the changes whose reason is shown: a visitor is told only if it was faster for them. */
  before: PaceBefore | undefined;
  /** The limits at the time of the measurement. */
  limits: Limits;
}

export interface Limits {
  maxActive: number;
  perSecond: number;
  isOpen: boolean;
}

export type PaceBefore = Pick<Limits, 'maxActive' | 'perSecond'> & Pick<Pace, 'slotSeconds'>;

export const unmeasured: Pace = {
  at: 0,
  observedPerSecond: undefined,
  slotSeconds: 0,
  slotError: 0,
  departPerSecond: 0,
  insideSeconds: 0,
  change: undefined,
  changedAt: 0,
  before: undefined,
  limits: { maxActive: 0, perSecond: 0, isOpen: false },
};
