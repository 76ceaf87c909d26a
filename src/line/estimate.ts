/**
 * How long someone will still wait: from how fast the line has moved, blended with what the settings imply while there
 * is little to go by. The answer is a range with a confidence; where no honest number exists it says so instead.
 */
import type { AdmissionHistory } from './admission-history.ts';
import type { Phase, RoomSettings } from './room-settings.ts';

/** What an estimate rests on, the same for everyone in the line; made once per tick. */
export interface Pace {
  /** Admissions per second as observed, undefined before the first observation. */
  observedPerSecond: number | undefined;
  /** 0 to 1: how much the observation counts against what the settings imply. */
  trust: number;
}

export type WaitEstimate =
  | { known: true; seconds: number; low: number; high: number; confidence: number }
  | { known: false; reason: 'not_open' | 'paused' | 'closed' | 'no_room' };

const WINDOWS: readonly { readonly seconds: number; readonly weight: number }[] = [
  { seconds: 60, weight: 0.5 },
  { seconds: 300, weight: 0.3 },
  { seconds: 900, weight: 0.2 },
];
/** With a minute of a moving line behind it, the observation stands alone. */
const FULL_TRUST_MS = 60_000;
/** Width of the range on either side: with no observation at all, and with full trust. */
const WIDEST_SPREAD = 0.5;
const NARROWEST_SPREAD = 0.15;

export function paceFrom(history: Pick<AdmissionHistory, 'over'>, now: number): Pace {
  let weighted = 0;
  let weights = 0;
  for (const { seconds, weight } of WINDOWS) {
    const { admitted, observedMs } = history.over(now, seconds);
    if (observedMs === 0) continue;
    weighted += weight * (admitted / (observedMs / 1000));
    weights += weight;
  }
  const longest = history.over(now, WINDOWS[WINDOWS.length - 1]!.seconds);
  return {
    observedPerSecond: weights > 0 ? weighted / weights : undefined,
    trust: Math.min(1, longest.observedMs / FULL_TRUST_MS),
  };
}

export interface EstimateInput {
  /** 1-based rank in line. */
  position: number;
  phase: Phase;
  settings: RoomSettings;
  /** Admitted + active now. */
  inside: number;
  pace: Pace;
  /** Length of the admission tick. */
  tickMs: number;
}

export function estimateWait(input: EstimateInput): WaitEstimate {
  if (input.phase !== 'open') return { known: false, reason: input.phase };
  if (input.settings.maxActive === 0) return { known: false, reason: 'no_room' };
  const { observedPerSecond, trust } = input.pace;
  const implied = impliedSeconds(input);
  // A line that has stood still for its whole history has no observed time of arrival; the settings still imply one.
  const observed = observedPerSecond ? input.position / observedPerSecond : implied;
  const seconds = trust * observed + (1 - trust) * implied;
  const spread = WIDEST_SPREAD - trust * (WIDEST_SPREAD - NARROWEST_SPREAD);
  return {
    known: true,
    seconds: Math.ceil(seconds),
    low: Math.floor(seconds * (1 - spread)),
    high: Math.ceil(seconds * (1 + spread)),
    confidence: Math.round((1 - spread) * 100) / 100,
  };
}

/**
 * What the settings alone say: free slots fill at the rate of admission, and after that a slot comes free whenever a
 * session ends. How long people stay is not known; half of the session's length is the guess.
 */
function impliedSeconds({ position, settings, inside, tickMs }: EstimateInput): number {
  const perSecond = settings.admitPerSecond ?? settings.batchSize / (tickMs / 1000);
  const free = Math.max(0, settings.maxActive - inside);
  if (position <= free) return position / perSecond;
  const turnoverPerSecond = settings.maxActive / (settings.activeTtlMs / 2 / 1000);
  return free / perSecond + (position - free) / Math.min(perSecond, turnoverPerSecond);
}
