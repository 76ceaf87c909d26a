/**
 * How long a slot is taken, from what was seen and what the settings say. The same operations in the same order as
 * redis/scripts/includes/estimate-hold.lua.
 */
import type { Stretch, Windows } from '../model/admission-history.ts';
import type { RoomSettings } from '../model/room-settings.ts';

export interface HoldFacts {
  inside: number;
  /** How long those inside have been there, all together. */
  insideSeconds: number;
  settings: RoomSettings;
  windows: Windows;
}

export interface Estimate {
  value: number;
  /** The standard error, as a share of the value. */
  error: number;
}

/** Of the last 1, 5 and 15 minutes. */
export const WEIGHTS = [0.5, 0.3, 0.2];
type Trend = 'usual' | 'shifted' | 'waves';
/** After a shift the old windows are evidence of how it was before; in waves the short ones see only a part of one. */
const WEIGHTS_BY_TREND = { usual: WEIGHTS, shifted: [0.8, 0.15, 0.05], waves: [0.05, 0.25, 0.7] };
const OFF_DEVIATIONS = 3;
const ERROR_BY_TREND = { usual: 0, shifted: 0.15, waves: 0.1 };
/** The settings alone say little about how long people stay: within a factor of 2 two times out of three. */
const GUESSED_ERROR = 0.7;
/** An operator who says it knows better: within a quarter, two times out of three. */
const TOLD_ERROR = 0.25;
/** Sessions vary less than chance alone would have it: variance over squared mean. */
const HOLD_VARIANCE = 0.6;
/** The mean of a time whose chance to end grows in proportion to its age, over the square root of half that growth. */
export const RISING_MEAN = 0.886226925452758;

/**
 * Three witnesses, each heard by how sure it is. The settings, which are all there is before anybody has left. The ages
 * at which slots came free, against those at which they did not, which speaks as soon as the first few have; it assumes
 * that the chance to finish grows with the time inside. And slots freed per slot watched, which assumes nothing, but is
 * right only once a generation or two has passed.
 */
export function estimateHold({ windows, settings, inside, insideSeconds }: HoldFacts): Estimate {
  const long = windows[2];
  const generations = long.freed / Math.max(1, inside);
  const trend = findTrend(windows, generations);
  const isShifted = trend === 'shifted';
  const prior = priorHold(settings);
  let weight = (isShifted ? 0.25 : 1) / (prior.error * prior.error);
  let weights = weight;
  let weighted = weight / prior.value;
  if (long.freed > 0 && long.agedMs > 0 && long.slotMs > 0) {
    // What the first to leave say of the others depends on how people differ, which nobody knows.
    const shapeError = 0.12 + 0.4 / (1 + 5 * generations);
    // In their first moments people finish more seldom still than in proportion to the time inside.
    const firstEnds = Math.min(1.7, 1 + 0.01 / generations);
    weight = (isShifted ? 0.25 : 1) / (1 / (4 * long.freed) + shapeError * shapeError);
    weights += weight;
    weighted += (weight * firstEnds * Math.sqrt(long.freed / ((2 * long.agedMs) / 1000))) / RISING_MEAN;
    const turnover = weighTurnover(windows, WEIGHTS_BY_TREND[trend]);
    // While the first generation is inside, slots come free more slowly than they will.
    const youth = 0.35 / (generations * generations);
    weight = 1 / (HOLD_VARIANCE * turnover.variance + youth * youth);
    weights += weight;
    weighted += weight * turnover.perSecond;
  }
  const error = Math.sqrt(1 / weights) + ERROR_BY_TREND[trend];
  const isYoung = generations < 0.05;
  const least = isYoung ? (1.5 * insideSeconds) / Math.max(1, inside) : 0;
  return { value: Math.min(Math.max(weights / weighted, least), longestHoldSeconds(settings)), error };
}

function longestHoldSeconds({ renew, activeTtlMs, activeMaxTtlMs, claimTtlMs }: RoomSettings): number {
  return ((renew ? activeMaxTtlMs : activeTtlMs) + claimTtlMs) / 1000;
}

/**
 * How the last minutes compare with the quarter of an hour, beyond what chance explains. Where five minutes differ as the
 * last one does, something has changed. Where only the last minute does, slots come free in waves, as they do when all
 * came in at once and stay equally long.
 */
function findTrend([minute, fiveMinutes, quarterHour]: Windows, generations: number): Trend {
  if (generations < 1 || quarterHour.slotMs === 0) return 'usual';
  const perMs = quarterHour.freed / quarterHour.slotMs;
  const isMinuteOff = isOff(minute, perMs);
  if (isMinuteOff && isOff(fiveMinutes, perMs)) return 'shifted';
  return isMinuteOff ? 'waves' : 'usual';
}

function isOff({ freed, slotMs }: Stretch, perMs: number): boolean {
  const expected = perMs * slotMs;
  return Math.abs(freed - expected) > OFF_DEVIATIONS * Math.sqrt(HOLD_VARIANCE * expected + 1);
}

function weighTurnover(windows: Windows, weights: number[]): { perSecond: number; variance: number } {
  let weighted = 0;
  let total = 0;
  let squares = 0;
  for (const [i, { freed, slotMs }] of windows.entries()) {
    if (slotMs === 0) continue;
    const weight = weights[i]!;
    weighted += weight * (freed / (slotMs / 1000));
    total += weight;
    squares += (weight * weight) / (freed + 1);
  }
  return { perSecond: weighted / total, variance: squares / (total * total) };
}

/** How long people stay, before anybody has: what the operator says or, as a guess, half of the session's length. */
export function priorHold({ expectedStayMs, activeTtlMs }: RoomSettings): Estimate {
  if (expectedStayMs === undefined) return { value: activeTtlMs / 2000, error: GUESSED_ERROR };
  return { value: expectedStayMs / 1000, error: TOLD_ERROR };
}
