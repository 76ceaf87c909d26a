/**
 * The basis of every waiting time in a line, measured by each tick: the slot time, how many waiting visitors give up,
 * and whether something has slowed the line. The values shown follow the evidence with a bounded speed, and only as far
 * as the evidence contradicts them.
 *
 * Only sums, products, quotients and square roots, in the order of store/redis/scripts/includes/measure-pace.lua: both
 * stores compute the same number to the last bit.
 */
import type { Stretch, Windows } from '../model/admission-history.ts';
import type { Pace, PaceBefore } from '../model/pace.ts';
import { CHANGE_SHOWN_MS, type Estimate, findChange, ratePerSecond } from './estimate.ts';
import { estimateSlotTime, type SlotFacts, WEIGHTS } from './estimate-slot-time.ts';

/** The line at the end of a tick. */
export interface PaceFacts extends SlotFacts {
  now: number;
  waiting: number;
  tickMs: number;
  isOpen: boolean;
}

/** How far the evidence must differ from the value shown to move it, in standard errors: less for good news. */
const BAND_BETTER = 0.25;
const BAND_WORSE = 0.75;
/** Waiting times rise, with the reason shown, only if the slot time is 10 % plus half a standard error longer. */
const SLOWER = 1.1;
/** How fast the value shown may move per second: faster the less is known and the further it is off. */
const SPEED = 0.2;
/** At most 3 % per second. */
export const FASTEST_PER_SECOND = 0.03;
/** Smaller bad news only slows the countdown: it may cancel at most this share of the passing time. */
const CREEP = 0.5;
/** After this long without a tick the previous values no longer bound the next ones. */
const FORGET_AFTER_MS = 60_000;

export function stepPace(previous: Pace, facts: PaceFacts): Pace {
  const { now, insideSeconds, settings, tickMs, windows, isOpen } = facts;
  const limits = { maxActive: settings.maxActive, perSecond: ratePerSecond(settings, tickMs), isOpen };
  const slotTime = estimateSlotTime(facts);
  const depart = estimateDepartures(windows[2]);
  const isFresh = previous.at === 0 || now - previous.at > FORGET_AFTER_MS;
  const passed = (now - previous.at) / 1000;
  const creep = (CREEP * passed) / longestWaitSeconds(previous.slotSeconds, facts);
  const shownSlotTime = isFresh
    ? { ...slotTime, isSlower: false }
    : followSlotTime(previous.slotSeconds, slotTime, passed, creep);
  const departPerSecond = isFresh ? depart.value : followDepartures(previous.departPerSecond, depart, passed, creep);
  const change = isFresh ? undefined : findChange(previous.limits, limits, shownSlotTime.isSlower);
  const isStillShown = !isFresh && previous.change !== undefined && now - previous.changedAt < CHANGE_SHOWN_MS;
  return {
    at: now,
    observedPerSecond: observedPerSecond(windows),
    slotSeconds: shownSlotTime.value,
    slotError: shownSlotTime.error,
    departPerSecond,
    insideSeconds,
    change: change ?? (isStillShown ? previous.change : undefined),
    changedAt: change !== undefined ? now : isStillShown ? previous.changedAt : 0,
    before: isStillShown ? previous.before : change === undefined ? undefined : toBefore(previous),
    limits,
  };
}

function toBefore({ limits: { maxActive, perSecond }, slotSeconds }: Pace): PaceBefore {
  return { maxActive, perSecond, slotSeconds };
}

function estimateDepartures({ departed, waiterMs }: Stretch): Estimate {
  if (waiterMs === 0) return { value: 0, error: 1 };
  // More may have come back in the window than were passed over in it.
  const count = Math.max(0, departed);
  return { value: count / (waiterMs / 1000), error: 1 / Math.sqrt(count + 1) };
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

/** Roughly the longest wait of a visitor who joins now. */
function longestWaitSeconds(slotSeconds: number, { waiting, settings }: PaceFacts): number {
  return slotSeconds * (1 + waiting / Math.max(1, settings.maxActive));
}

interface Shown {
  value: number;
  /** Combines the error of the estimate with its distance from the value shown. */
  error: number;
  /** Whether waiting times may rise. */
  isSlower: boolean;
}

/** The value nearest to `shown` that the evidence does not contradict, or as far towards it as one step allows. */
function followSlotTime(shown: number, { value, error }: Estimate, passed: number, creep: number): Shown {
  const fast = Math.max(fastest(shown, { value, error }) * passed, creep);
  const isSlower = value > shown * (SLOWER + error / 2);
  const nearest = Math.min(Math.max(shown, value / (1 + BAND_WORSE * error)), value * (1 + BAND_BETTER * error));
  const next = Math.min(Math.max(nearest, shown / (1 + fast)), shown * (1 + (isSlower ? fast : creep)));
  const gap = value / next - 1;
  return { value: next, error: Math.sqrt(error * error + gap * gap), isSlower };
}

/**
 * The same for departures, where fewer make the wait longer. Waiting times never rise for this: even if nobody gave up
 * any more they would be longer only by a fraction.
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
