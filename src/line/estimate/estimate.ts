/**
 * Estimates how long a visitor will still wait: a range with a confidence, from the pace that the last tick measured,
 * or the reason why no honest number exists. Constant cost at every position. Also: when their page should poll again.
 */
import type { Limits, Pace, PaceBefore, WaitChange } from '../model/pace.ts';
import { limitOf, type Phase, type RoomSettings } from '../model/room-settings.ts';
import { effectiveRate, isLowered, type SiteHealth } from '../model/site-health.ts';
import type { Crowd } from '../model/standing.ts';
import type { StockView } from '../model/stock.ts';

export interface KnownWait {
  known: true;
  seconds: number;
  low: number;
  high: number;
  confidence: number;
  /** Why this visitor waits longer than a minute ago, or than usual; undefined if they do not. */
  change: RiseReason | undefined;
}

/** `returned`: visitors ahead who were away are back. */
export type RiseReason = WaitChange | 'returned';

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
  /** When a visitor who was away last came back to the line ahead; absent or 0 if none has. */
  returnedAt?: number;
  /** Only if the room follows the stock. */
  stock?: StockView | undefined;
  /** Only if the room follows the health of the site. */
  health?: SiteHealth | undefined;
  /** Length of the admission tick. */
  tickMs: number;
}

/** How long the reason of a rise is reported: as long as the longest poll interval, so every page gets it. */
export const CHANGE_SHOWN_MS = 60_000;
/** Half of the range in standard errors: five of six waits lie inside if the assumptions are right. */
const RANGE_ERRORS = 1.4;
/** What no measurement shows: the shop, the crowd and the settings will change. */
const UNFORESEEN = 0.07;
const SLOT_TIME_VARIANCE = 0.5;
const OFFSET_ERROR = 0.25;
/** Error of the share of visitors ahead who will give up before their turn. */
const DEPARTURE_ERROR = 0.6;
const RATE_ERROR = 0.03;
/** A range wider than a factor of four either way is useless. */
const WIDEST = 1;
/** The settings alone say little about how long visitors stay: within a factor of 2 in two of three cases. */
const GUESSED_ERROR = 0.7;
/** `expectedStayMs` is better: within a quarter in two of three cases. */
const CONFIGURED_ERROR = 0.25;
/** Γ(3/2) = √π/2: mean over scale of a duration whose hazard grows in proportion to its age (Weibull, shape 2). */
export const RISING_MEAN = 0.886226925452758;

export function estimateWait(input: EstimateInput): WaitEstimate {
  const { phase, settings, stock, position, inside } = input;
  if (phase !== 'open') return { known: false, reason: phase };
  if (settings.followStock && stock?.isSoldOut) return { known: false, reason: 'sold_out' };
  const limit = limitOf(settings, stock);
  if (limit === 0) return { known: false, reason: 'no_room' };
  // Whether this visitor is admitted depends on what those ahead buy, which the pace cannot predict.
  if (limit < settings.maxActive && position > limit - inside) return { known: false, reason: 'few_left' };
  return estimateByPace(input);
}

function estimateByPace(input: EstimateInput): WaitEstimate {
  const { settings, health, tickMs } = input;
  const fullRate = ratePerSecond(settings, tickMs);
  const wait = waitAtRate(input, effectiveRate(settings, health) ?? fullRate);
  const { line, byRate, bySlots } = wait;
  const factor = Math.exp(RANGE_ERRORS * relativeError(input, line, bySlots));
  const tick = tickMs / 1000;
  const low = Math.floor(Math.max(byRate * (1 - RATE_ERROR), bySlots.seconds / factor) - tick);
  const high = Math.ceil(Math.max(byRate * (1 + RATE_ERROR), bySlots.seconds * factor) + tick);
  return {
    known: true,
    seconds: Math.ceil(wait.seconds),
    low: Math.max(0, low),
    high,
    confidence: Math.round((1 - (high - Math.max(0, low)) / (high + Math.max(0, low))) * 100) / 100,
    change: reasonOf(input, fullRate, wait),
  };
}

interface Wait {
  seconds: number;
  /** Whether the visitor waits for a slot rather than for the rate. */
  isForSlot: boolean;
  line: LineAhead;
  byRate: number;
  bySlots: FreeSlot;
}

function waitAtRate(input: EstimateInput, perSecond: number): Wait {
  const line = lineAhead(input, perSecond);
  const byRate = line.served / perSecond;
  const bySlots = secondsUntilFree(input, line.beyondFree);
  const isForSlot = bySlots.seconds > byRate;
  return { seconds: Math.max(byRate, bySlots.seconds), isForSlot, line, byRate, bySlots };
}

interface LineAhead {
  /** How many up to and including this visitor will still be in line at their turn. */
  served: number;
  /** How many of them need a slot that is not free yet; no wait for 0 or less. */
  beyondFree: number;
}

/**
 * While the line moves by `rate` per second, every visitor ahead gives up with the same constant hazard. Of `count`
 * visitors, `remaining(count)` are admitted. Whether visitors give up sooner near the end is unknown.
 */
function lineAhead({ position, settings, inside, pace }: EstimateInput, perSecond: number): LineAhead {
  const rate = Math.min(perSecond, settings.maxActive / slotTimeOf(pace, settings).value);
  const free = Math.max(0, settings.maxActive - inside);
  const share = pace.departPerSecond / rate;
  const remaining = (count: number) => (share > 0 ? Math.log1p(share * count) / share : count);
  if (position <= free) return { served: position, beyondFree: 0 };
  const beyondFree = remaining(position - free);
  return { served: free + beyondFree, beyondFree };
}

interface FreeSlot {
  seconds: number;
  /** How much later than in the steady state, because those inside were admitted at once; negative means earlier. */
  offset: number;
}

/**
 * When the `count`-th slot comes free. In the steady state that is `count` times the mean time between two exits. After
 * a burst everyone inside is young and nobody leaves for a while, so this adds the mean time left beyond that of the
 * steady state. Free slots count as filled at once, by visitors of age 0.
 */
function secondsUntilFree({ settings, inside, pace }: EstimateInput, count: number): FreeSlot {
  if (count <= 0) return { seconds: 0, offset: 0 };
  const { maxActive } = settings;
  const slotTime = slotTimeOf(pace, settings).value;
  const age = pace.insideSeconds / Math.max(inside, maxActive);
  const offset = slotTime * (shareLeft(age / slotTime) - SHARE_LEFT_STEADY);
  const steady = (count * slotTime) / maxActive;
  const first = firstEnds(count / maxActive, age, slotTime);
  const seconds = offset >= 0 ? Math.min(steady + offset, first) : Math.max(steady + offset, Math.min(steady, first));
  // After the limit was lowered, the surplus has to leave first.
  const surplus = inside > maxActive ? slotTime * Math.log(inside / maxActive) : 0;
  return { seconds: seconds + surplus, offset };
}

/** When a `share` of those inside now will have left, if all are of the same age. */
function firstEnds(share: number, age: number, slotTime: number): number {
  if (share >= 1) return Number.POSITIVE_INFINITY;
  const scale = slotTime / RISING_MEAN;
  return Math.sqrt(age * age - Math.log(1 - share) * scale * scale) - age;
}

/**
 * The mean time left at `age`, both in units of the mean slot time, where the hazard grows in proportion to age:
 * exp(x²) erfc(x) for x = RISING_MEAN * age, by Abramowitz and Stegun 7.1.26.
 */
function shareLeft(age: number): number {
  const t = 1 / (1 + 0.3275911 * RISING_MEAN * age);
  return t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
}

const SHARE_LEFT_STEADY = shareLeft(2 / Math.PI);

/** From independent causes: the slot time, random exits, a young room, visitors who give up. */
function relativeError(
  { position, pace, settings }: EstimateInput,
  line: LineAhead,
  { seconds, offset }: FreeSlot,
): number {
  const chance = SLOT_TIME_VARIANCE / (line.beyondFree + 1);
  const young = seconds > 0 ? (OFFSET_ERROR * offset) / seconds : 0;
  const departures = DEPARTURE_ERROR * Math.log(position / line.served);
  return Math.min(
    WIDEST,
    Math.hypot(slotTimeOf(pace, settings).error, Math.sqrt(chance), young, departures, UNFORESEEN),
  );
}

export interface Estimate {
  value: number;
  /** The standard error, relative to the value. */
  error: number;
}

/** As the last tick measured it; a guess before the first tick. */
function slotTimeOf({ at, slotSeconds, slotError }: Pace, settings: RoomSettings): Estimate {
  return at === 0 ? priorSlotTime(settings) : { value: slotSeconds, error: slotError };
}

/** The slot time before any measurement: `expectedStayMs` or, as a guess, half of the session length. */
export function priorSlotTime({ expectedStayMs, activeTtlMs }: RoomSettings): Estimate {
  if (expectedStayMs === undefined) return { value: activeTtlMs / 2000, error: GUESSED_ERROR };
  return { value: expectedStayMs / 1000, error: CONFIGURED_ERROR };
}

/**
 * Why this visitor waits longer than before; undefined if they do not. A change of the line is a reason only for those who
 * would wait less without it: a limit that is as high as before again, or a rate that frees no slot sooner, is none.
 */
function reasonOf(input: EstimateInput, fullRate: number, wait: Wait): RiseReason | undefined {
  const { settings, health, pace } = input;
  const { maxActive } = settings;
  const isLongerThan = (before: PaceBefore) => Math.ceil(wait.seconds) > Math.ceil(waitBefore(input, before));
  const slotSeconds = slotTimeOf(pace, settings).value;
  if (isLowered(settings, health) && isLongerThan({ maxActive, perSecond: fullRate, slotSeconds })) return 'site';
  if (pace.at === 0) return findReturn(input);
  // Settings may be newer than the pace by a tick.
  const newest = findChange(pace.limits, { ...pace.limits, maxActive, perSecond: fullRate }, false);
  const change = newest ?? pace.change;
  if (change === undefined) return findReturn(input);
  if (change === 'resumed') return change;
  // Measured at every tick, and it grows for a while: what was before the first of these ticks says nothing about this one.
  if (change === 'slower') return wait.isForSlot ? change : findReturn(input);
  const before = pace.before ?? (newest && { ...pace.limits, slotSeconds });
  // An older version did not measure what was before.
  return before === undefined || isLongerThan(before) ? change : findReturn(input);
}

/** The wait at the same position in the line as it was before. */
function waitBefore(input: EstimateInput, { maxActive, perSecond, slotSeconds }: PaceBefore): number {
  const settings = { ...input.settings, maxActive };
  return waitAtRate({ ...input, settings, pace: { ...input.pace, slotSeconds } }, perSecond).seconds;
}

/** Everyone who comes back was at the head before, and so is ahead of all who stayed. */
function findReturn({ pace, returnedAt = 0 }: EstimateInput): RiseReason | undefined {
  return returnedAt > 0 && pace.at - returnedAt < CHANGE_SHOWN_MS ? 'returned' : undefined;
}

/** The highest admission rate that the settings allow. */
export function ratePerSecond({ admitPerSecond, batchSize }: RoomSettings, tickMs: number): number {
  return admitPerSecond ?? batchSize / (tickMs / 1000);
}

export function findChange(before: Limits, after: Limits, isSlower: boolean): WaitChange | undefined {
  if (after.maxActive < before.maxActive || after.perSecond < before.perSecond) return 'limit';
  if (after.isOpen && !before.isOpen) return 'resumed';
  return isSlower ? 'slower' : undefined;
}

/*
 * The poll schedule: the nearer the turn of a visitor, the sooner their page polls again.
 */

const SECONDS_WHEN_INSIDE = 3;
const STEPS: readonly { readonly upTo: number; readonly seconds: number }[] = [
  { upTo: 1_000, seconds: 1 },
  { upTo: 5_000, seconds: 5 },
  { upTo: 10_000, seconds: 10 },
  { upTo: 100_000, seconds: 30 },
  { upTo: Number.POSITIVE_INFINITY, seconds: 60 },
];

/** `position`: the 1-based rank in line; undefined for a visitor who does not wait. */
export function nextPollSeconds(position: number | undefined): number {
  if (position === undefined) return SECONDS_WHEN_INSIDE;
  return STEPS.find(({ upTo }) => position <= upTo)!.seconds;
}

/** Before a draw there is no news; these polls only keep the visitor present, well within seenTtlMs. */
const LOBBY_STEPS: readonly { readonly from: number; readonly seconds: number }[] = [
  { from: 600, seconds: 60 },
  { from: 60, seconds: 30 },
  { from: 20, seconds: 10 },
];
/** How long a draw usually takes, and how many polls per second may follow it. */
const DRAW_SECONDS = 2;
const POLLS_PER_SECOND = 5_000;
const WIDEST_SPREAD_SECONDS = 20;

/**
 * A page in the lobby polls again shortly after the draw, spread over some seconds. The pseudorandom lot decides which
 * page polls when.
 */
export function lobbyPollSeconds(
  lot: string,
  { settings, waiting }: Pick<Crowd, 'settings' | 'waiting'>,
  now: number,
): number {
  const toOpening = settings.opensAt === undefined ? 0 : (Date.parse(settings.opensAt) - now) / 1000;
  const step = LOBBY_STEPS.find(({ from }) => toOpening >= from);
  const longest = Math.max(1, Math.floor(settings.seenTtlMs / 3_000));
  if (step !== undefined) return Math.min(step.seconds, longest);
  const share = Number.parseInt(lot.slice(0, 4), 16) / 65_536;
  const spread = Math.min(WIDEST_SPREAD_SECONDS, waiting / POLLS_PER_SECOND) * share;
  return Math.min(Math.ceil(Math.max(0, toOpening) + DRAW_SECONDS + spread), longest);
}
