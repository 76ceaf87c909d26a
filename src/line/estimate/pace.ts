/**
 * What every waiting time in a line rests on, measured by each tick: how long a slot is taken, how many of those who
 * wait give up, and whether something has slowed the line. What is shown follows the evidence no faster than a stated
 * bound, and only as far as the evidence contradicts it.
 *
 * Only sums, products, quotients and square roots, in the order of redis/scripts/includes/measure-pace.lua: both stores
 * come to the same number, to the last bit.
 */
import type { Stretch, Windows } from '../model/admission-history.ts';
import type { Limits, Pace, WaitChange } from '../model/pace.ts';
import type { RoomSettings } from '../model/room-settings.ts';
import { type Estimate, estimateHold, type HoldFacts, WEIGHTS } from './estimate-hold.ts';

/** How it stands with the line at the end of a tick. */
export interface PaceFacts extends HoldFacts {
  now: number;
  waiting: number;
  tickMs: number;
  isOpen: boolean;
}

/** How far evidence must differ from what is shown before that moves, in standard errors: good news moves it sooner. */
const BAND_BETTER = 0.25;
const BAND_WORSE = 0.75;
/** Waiting times rise, and visitors are told, only where slots are taken for 10 % and half a standard error longer. */
const SLOWER = 1.1;
/** How fast what is shown may move, per second: the less is known, and the further it is off, the faster. */
const SPEED = 0.2;
/** 3 % a second at most. */
export const FASTEST_PER_SECOND = 0.03;
/** Bad news short of that only slows the countdown: it may use up so much of what the passing of time takes off. */
const CREEP = 0.5;
/** For how long the reason of a rise is told: whoever polls most seldom still hears of it. */
export const CHANGE_TOLD_MS = 60_000;
/** After so long without a tick nothing shown is remembered by anybody. */
const FORGET_AFTER_MS = 60_000;

export function stepPace(previous: Pace, facts: PaceFacts): Pace {
  const { now, insideSeconds, settings, tickMs, windows, isOpen } = facts;
  const limits = { maxActive: settings.maxActive, perSecond: ratePerSecond(settings, tickMs), isOpen };
  const hold = estimateHold(facts);
  const depart = estimateDepartures(windows[2]);
  const isFresh = previous.at === 0 || now - previous.at > FORGET_AFTER_MS;
  const passed = (now - previous.at) / 1000;
  const creep = (CREEP * passed) / longestWaitSeconds(previous.holdSeconds, facts);
  const shownHold = isFresh ? { ...hold, isSlower: false } : followHold(previous.holdSeconds, hold, passed, creep);
  const departPerSecond = isFresh ? depart.value : followDepartures(previous.departPerSecond, depart, passed, creep);
  const change = isFresh ? undefined : findChange(previous.limits, limits, shownHold.isSlower);
  const isStillTold = !isFresh && now - previous.changedAt < CHANGE_TOLD_MS;
  return {
    at: now,
    observedPerSecond: observedPerSecond(windows),
    holdSeconds: shownHold.value,
    holdError: shownHold.error,
    departPerSecond,
    insideSeconds,
    change: change ?? (isStillTold ? previous.change : undefined),
    changedAt: change !== undefined ? now : isStillTold ? previous.changedAt : 0,
    limits,
  };
}

/** Admissions a second at most, by the settings. */
export function ratePerSecond({ admitPerSecond, batchSize }: RoomSettings, tickMs: number): number {
  return admitPerSecond ?? batchSize / (tickMs / 1000);
}

export function findChange(before: Limits, after: Limits, isSlower: boolean): WaitChange | undefined {
  if (after.maxActive < before.maxActive || after.perSecond < before.perSecond) return 'limit';
  if (after.isOpen && !before.isOpen) return 'resumed';
  return isSlower ? 'slower' : undefined;
}

function estimateDepartures({ departed, waiterMs }: Stretch): Estimate {
  if (waiterMs === 0) return { value: 0, error: 1 };
  return { value: departed / (waiterMs / 1000), error: 1 / Math.sqrt(departed + 1) };
}

function observedPerSecond(windows: Windows): number | undefined {
  let weighted = 0;
  let weights = 0;
  for (const [i, { admitted, movingMs }] of windows.entries()) {
    if (movingMs === 0) continue;
    weighted += WEIGHTS[i]! * (admitted / (movingMs / 1000));
    weights += WEIGHTS[i]!;
  }
  return weights > 0 ? weighted / weights : undefined;
}

/** About how long whoever joins now will wait, at most. */
function longestWaitSeconds(holdSeconds: number, { waiting, settings }: PaceFacts): number {
  return holdSeconds * (1 + waiting / Math.max(1, settings.maxActive));
}

interface Shown {
  value: number;
  /** The error of the estimate, and how far it is from what is shown. */
  error: number;
  /** Whether waiting times may rise by it. */
  isSlower: boolean;
}

/** The nearest to what was shown that the evidence does not contradict, or as far towards it as is allowed at once. */
function followHold(shown: number, { value, error }: Estimate, passed: number, creep: number): Shown {
  const fast = Math.max(fastest(shown, { value, error }) * passed, creep);
  const isSlower = value > shown * (SLOWER + error / 2);
  const nearest = Math.min(Math.max(shown, value / (1 + BAND_WORSE * error)), value * (1 + BAND_BETTER * error));
  const next = Math.min(Math.max(nearest, shown / (1 + fast)), shown * (1 + (isSlower ? fast : creep)));
  const gap = value / next - 1;
  return { value: next, error: Math.sqrt(error * error + gap * gap), isSlower };
}

/**
 * The same for those who give up, of whom it is fewer that makes waiting longer. That is never so urgent that waiting
 * times should rise for it: were nobody to give up any more, they would be longer by a fraction.
 */
function followDepartures(shown: number, { value, error }: Estimate, passed: number, creep: number): number {
  if (shown === 0) return value;
  const fast = Math.max(fastest(shown, { value, error }) * passed, creep);
  const nearest = Math.min(Math.max(shown, value / (1 + BAND_BETTER * error)), value * (1 + BAND_WORSE * error));
  return Math.min(Math.max(nearest, shown / (1 + creep)), shown * (1 + fast));
}

function fastest(shown: number, { value, error }: Estimate): number {
  const gap = value / shown - 1;
  return Math.min(SPEED * (error * error + gap * gap), FASTEST_PER_SECOND);
}
