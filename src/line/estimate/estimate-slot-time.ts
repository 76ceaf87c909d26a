/**
 * Estimates the slot time: how long one visitor occupies a slot. Combines measurements with the settings, by the same
 * operations in the same order as store/redis/scripts/includes/estimate-slot-time.lua.
 */
import type { Stretch, Windows } from '../model/admission-history.ts';
import type { RoomSettings } from '../model/room-settings.ts';
import { type Estimate, priorSlotTime, RISING_MEAN } from './estimate.ts';

export interface SlotFacts {
  inside: number;
  /** Sum over everyone inside of the time since admission. */
  insideSeconds: number;
  settings: RoomSettings;
  windows: Windows;
}

/** Weights of the last 1, 5 and 15 minutes. */
export const WEIGHTS = [0.5, 0.3, 0.2];
type Trend = 'usual' | 'shifted' | 'waves';
/** After a shift the long windows describe the past; in waves the short ones see only part of a wave. */
const WEIGHTS_BY_TREND = { usual: WEIGHTS, shifted: [0.8, 0.15, 0.05], waves: [0.05, 0.25, 0.7] };
const OFF_DEVIATIONS = 3;
const ERROR_BY_TREND = { usual: 0, shifted: 0.15, waves: 0.1 };
/** Variance over squared mean; 1 would be memoryless sessions. */
const SLOT_TIME_VARIANCE = 0.6;

/**
 * The mean of three estimates, weighted by their certainty:
 * - the settings, the only source before anyone has left;
 * - the ages at which slots came free against those at which they did not. It works after the first few exits, and
 *   assumes that the chance to finish grows with the time inside;
 * - slots freed per slot observed, which assumes nothing but is right only after a generation or two.
 */
export function estimateSlotTime({ windows, settings, inside, insideSeconds }: SlotFacts): Estimate {
  const long = windows[2];
  const generations = long.freed / Math.max(1, inside);
  const trend = findTrend(windows, generations);
  const isShifted = trend === 'shifted';
  const prior = priorSlotTime(settings);
  let weight = (isShifted ? 0.25 : 1) / (prior.error * prior.error);
  let weights = weight;
  let weighted = weight / prior.value;
  if (long.freed > 0 && long.agedMs > 0 && long.slotMs > 0) {
    // What the first exits say about the others depends on how visitors differ, which is unknown.
    const shapeError = 0.12 + 0.4 / (1 + 5 * generations);
    // In the first moments visitors finish even more rarely than in proportion to the time inside.
    const firstEnds = Math.min(1.7, 1 + 0.01 / generations);
    weight = (isShifted ? 0.25 : 1) / (1 / (4 * long.freed) + shapeError * shapeError);
    weights += weight;
    weighted += (weight * firstEnds * Math.sqrt(long.freed / ((2 * long.agedMs) / 1000))) / RISING_MEAN;
    const turnover = weighTurnover(windows, WEIGHTS_BY_TREND[trend]);
    // While the first generation is inside, slots come free more slowly than later.
    const youth = 0.35 / (generations * generations);
    weight = 1 / (SLOT_TIME_VARIANCE * turnover.variance + youth * youth);
    weights += weight;
    weighted += weight * turnover.perSecond;
  }
  const error = Math.sqrt(1 / weights) + ERROR_BY_TREND[trend];
  const isYoung = generations < 0.05;
  const least = isYoung ? (1.5 * insideSeconds) / Math.max(1, inside) : 0;
  return { value: Math.min(Math.max(weights / weighted, least), longestSlotSeconds(settings)), error };
}

function longestSlotSeconds({ renew, activeTtlMs, activeMaxTtlMs, claimTtlMs }: RoomSettings): number {
  return ((renew ? activeMaxTtlMs : activeTtlMs) + claimTtlMs) / 1000;
}

/**
 * Compares the last minutes with the last quarter of an hour, beyond random variation. If the last minute and the last
 * five minutes both differ, the slot time has shifted. If only the last minute differs, slots come free in waves, as they do when
 * everyone was admitted at once and stays equally long.
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
  return Math.abs(freed - expected) > OFF_DEVIATIONS * Math.sqrt(SLOT_TIME_VARIANCE * expected + 1);
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
