/** How often a stream sends a position: as often as a page would poll, but at least every 10 s. */
import { nextPollSeconds } from '../../line/estimate/estimate.ts';

const LONGEST_SPACING_MS = 10_000;
/** In the lobby only the size of the crowd changes. */
export const LOBBY_SPACING_MS = 10_000;

/** The interval of the broadcast: twice per tick, so updates are at most half a tick late. */
export function passMs(tickMs: number): number {
  return Math.min(500, Math.max(10, tickMs / 2));
}

/** One pass less than the full interval, so a pulse that comes a little early still counts. */
export function positionSpacingMs(position: number, tickMs: number): number {
  return Math.min(nextPollSeconds(position) * 1000, LONGEST_SPACING_MS) - passMs(tickMs);
}
