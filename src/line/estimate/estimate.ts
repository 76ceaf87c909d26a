/**
 * How long someone will still wait: a range with a confidence, from the pace that the last tick measured; where no
 * honest number exists it says so instead. Costs the same for everyone, wherever they stand.
 */

import type { Pace, WaitChange } from '../model/pace.ts';
import type { Phase, RoomSettings } from '../model/room-settings.ts';
import { limitOf, type StockView } from '../model/stock.ts';
import { type Estimate, priorHold, RISING_MEAN } from './estimate-hold.ts';
import { findChange, ratePerSecond } from './pace.ts';

export interface KnownWait {
  known: true;
  seconds: number;
  low: number;
  high: number;
  confidence: number;
  /** What has made waiting times rise in the last minute. */
  change: WaitChange | undefined;
}

export interface UnknownWait {
  known: false;
  reason: 'not_open' | 'paused' | 'closed' | 'no_room' | 'few_left' | 'sold_out';
}

export type WaitEstimate = KnownWait | UnknownWait;

export interface EstimateInput {
  /** 1-based rank in line. */
  position: number;
  phase: Phase;
  settings: RoomSettings;
  /** Admitted + active now. */
  inside: number;
  pace: Pace;
  /** Where the room follows it. */
  stock?: StockView | undefined;
  /** Length of the admission tick. */
  tickMs: number;
}

/** Half of the range in standard errors: five waits out of six lie inside, if all that is assumed holds. */
const RANGE_ERRORS = 1.4;
/** What no measurement shows: the shop, the crowd and the settings do not stay as they are. */
const UNFORESEEN = 0.07;
const HOLD_VARIANCE = 0.5;
const OFFSET_ERROR = 0.25;
/** How wrong the share that will give up may be, from here to the visitor's turn. */
const DEPARTURE_ERROR = 0.6;
const RATE_ERROR = 0.03;
/** A range of more than four times either way says nothing. */
const WIDEST = 1;

export function estimateWait(input: EstimateInput): WaitEstimate {
  const { phase, settings, stock, position, inside } = input;
  if (phase !== 'open') return { known: false, reason: phase };
  if (settings.followStock && stock?.isSoldOut) return { known: false, reason: 'sold_out' };
  const limit = limitOf(settings, stock);
  if (limit === 0) return { known: false, reason: 'no_room' };
  // Whether their turn comes depends on what those before them buy, which no pace tells.
  if (limit < settings.maxActive && position > limit - inside) return { known: false, reason: 'few_left' };
  return estimateByPace(input);
}

function estimateByPace(input: EstimateInput): WaitEstimate {
  const { settings, pace, tickMs } = input;
  const perSecond = ratePerSecond(settings, tickMs);
  const line = lineAhead(input, perSecond);
  const byRate = line.served / perSecond;
  const bySlots = slotSeconds(input, line.beyondFree);
  const factor = Math.exp(RANGE_ERRORS * relativeError(input, line, bySlots));
  const tick = tickMs / 1000;
  const low = Math.floor(Math.max(byRate * (1 - RATE_ERROR), bySlots.seconds / factor) - tick);
  const high = Math.ceil(Math.max(byRate * (1 + RATE_ERROR), bySlots.seconds * factor) + tick);
  return {
    known: true,
    seconds: Math.ceil(Math.max(byRate, bySlots.seconds)),
    low: Math.max(0, low),
    high,
    confidence: Math.round((1 - (high - Math.max(0, low)) / (high + Math.max(0, low))) * 100) / 100,
    change: changeOf(pace, settings, perSecond, bySlots.seconds > byRate),
  };
}

interface LineAhead {
  /** Those ahead, oneself included, who will still be there when their turn comes. */
  served: number;
  /** Of them, those for whom a slot must first come free; none to wait for below 0. */
  beyondFree: number;
}

/**
 * While the line moves by `rate` a second, each of those ahead gives up with the same chance at any time: of `count`
 * there remain, at one's turn, those who were let in. Whether people give up sooner near the end is not known.
 */
function lineAhead({ position, settings, inside, pace }: EstimateInput, perSecond: number): LineAhead {
  const rate = Math.min(perSecond, settings.maxActive / holdOf(pace, settings).value);
  const free = Math.max(0, settings.maxActive - inside);
  const share = pace.departPerSecond / rate;
  const remaining = (count: number) => (share > 0 ? Math.log1p(share * count) / share : count);
  if (position <= free) return { served: position, beyondFree: 0 };
  const beyondFree = remaining(position - free);
  return { served: free + beyondFree, beyondFree };
}

interface SlotTime {
  seconds: number;
  /** How much later than in a room in full swing, because those inside came at once; earlier below 0. */
  offset: number;
}

/**
 * When the `count`-th slot comes free. In a room in full swing that is `count` times the mean time between two ends.
 * After a burst everybody inside is young, so that nothing ends for a while: the mean time left of those inside, beyond
 * what it is in full swing, comes on top. Free slots will be filled at once, by people of age 0.
 */
function slotSeconds({ settings, inside, pace }: EstimateInput, count: number): SlotTime {
  if (count <= 0) return { seconds: 0, offset: 0 };
  const { maxActive } = settings;
  const hold = holdOf(pace, settings).value;
  const age = pace.insideSeconds / Math.max(inside, maxActive);
  const offset = hold * (shareLeft(age / hold) - SHARE_LEFT_IN_FULL_SWING);
  const steady = (count * hold) / maxActive;
  const first = firstEnds(count / maxActive, age, hold);
  const seconds = offset >= 0 ? Math.min(steady + offset, first) : Math.max(steady + offset, Math.min(steady, first));
  // With more inside than may be, after the limit was lowered, the surplus has to go first.
  const surplus = inside > maxActive ? hold * Math.log(inside / maxActive) : 0;
  return { seconds: seconds + surplus, offset };
}

/** When a `share` of those who are inside now will have left, all being of the same age. */
function firstEnds(share: number, age: number, hold: number): number {
  if (share >= 1) return Number.POSITIVE_INFINITY;
  const scale = hold / RISING_MEAN;
  return Math.sqrt(age * age - Math.log(1 - share) * scale * scale) - age;
}

/**
 * The mean time left to somebody of `age` (in mean times), as a share of the mean, where the chance to end grows in
 * proportion to age: exp(x²) erfc(x) for x = RISING_MEAN * age, by Abramowitz and Stegun 7.1.26.
 */
function shareLeft(age: number): number {
  const t = 1 / (1 + 0.3275911 * RISING_MEAN * age);
  return t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
}

const SHARE_LEFT_IN_FULL_SWING = shareLeft(2 / Math.PI);

/** From independent causes: the mean time itself, chance in when slots come free, the young room, those who give up. */
function relativeError(
  { position, pace, settings }: EstimateInput,
  line: LineAhead,
  { seconds, offset }: SlotTime,
): number {
  const chance = HOLD_VARIANCE / (line.beyondFree + 1);
  const young = seconds > 0 ? (OFFSET_ERROR * offset) / seconds : 0;
  const departures = DEPARTURE_ERROR * Math.log(position / line.served);
  return Math.min(WIDEST, Math.hypot(holdOf(pace, settings).error, Math.sqrt(chance), young, departures, UNFORESEEN));
}

function holdOf({ at, holdSeconds, holdError }: Pace, settings: RoomSettings): Estimate {
  return at === 0 ? priorHold(settings) : { value: holdSeconds, error: holdError };
}

/** Settings may be newer than the pace by a tick. That slots come free more slowly matters only to who waits for one. */
function changeOf(
  { at, limits, change }: Pace,
  { maxActive }: RoomSettings,
  perSecond: number,
  waitsForSlot: boolean,
): WaitChange | undefined {
  if (at === 0) return undefined;
  const told = change === 'slower' && !waitsForSlot ? undefined : change;
  return findChange(limits, { ...limits, maxActive, perSecond }, false) ?? told;
}
