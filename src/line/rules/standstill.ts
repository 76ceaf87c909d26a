/**
 * While nobody ticks, nobody is let in, and most likely visitors cannot reach us either: the store is away, or all of us
 * are. Such time counts against nobody. Claims and sessions do not end while the line stands still, nor for a while after
 * it goes on, so that people can come back; and nobody's silence before it went on is held against them.
 */
import type { Line } from '../model/line.ts';

/** Without a tick for so long, the line stands still. */
export const STANDSTILL_AFTER_MS = 30_000;

/** The time by which silence counts: `now`, unless the line stands still. */
export function silenceTime({ tickedAt }: Line, now: number): number {
  return tickedAt === 0 ? now : Math.min(now, tickedAt + STANDSTILL_AFTER_MS);
}

/** The time by which claims and sessions end. */
export function endingTime(line: Line, now: number): number {
  const { stoppedAt, graceUntil } = line.standstill;
  return now < graceUntil ? stoppedAt : silenceTime(line, now);
}

/** Before a tick: whether the line stood still until now. */
export function noteStandstill(line: Line, now: number): void {
  const stoppedAt = silenceTime(line, now);
  if (stoppedAt === now) return;
  line.standstill = {
    // A second one within the grace of the first takes nothing from those who had it.
    stoppedAt: endingTime(line, now),
    resumedAt: now,
    graceUntil: now + line.settings.claimTtlMs,
  };
}
