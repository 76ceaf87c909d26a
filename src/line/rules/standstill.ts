/**
 * Outages. While nothing ticks nobody is admitted, and visitors most likely cannot reach the server either: the store
 * or every process is down. That time costs no visitor anything. Claims and sessions do not end during a standstill, nor
 * for claimTtlMs after it, so visitors can return; silence before the line resumed does not count.
 */
import type { Line } from '../model/line.ts';

/** After this long without a tick the line is at a standstill. */
export const STANDSTILL_AFTER_MS = 30_000;

/** The clock for silence: `now`, stopped during a standstill. */
export function silenceTime({ tickedAt }: Line, now: number): number {
  return tickedAt === 0 ? now : Math.min(now, tickedAt + STANDSTILL_AFTER_MS);
}

/** The clock for claims and sessions: also stopped in the grace after a standstill. */
export function endingTime(line: Line, now: number): number {
  const { stoppedAt, graceUntil } = line.standstill;
  return now < graceUntil ? stoppedAt : silenceTime(line, now);
}

/** Called before a tick: records a standstill that ends now. */
export function noteStandstill(line: Line, now: number): void {
  const stoppedAt = silenceTime(line, now);
  if (stoppedAt === now) return;
  line.standstill = {
    // A second standstill within the grace of the first keeps the earlier stop time.
    stoppedAt: endingTime(line, now),
    resumedAt: now,
    graceUntil: now + line.settings.claimTtlMs,
  };
}
