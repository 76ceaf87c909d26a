/** How often a waiter hears of their position: as often as a page would ask, but never much less than a page expects. */
import { nextPollSeconds } from '../line/estimate/poll-schedule.ts';

const LONGEST_SPACING_MS = 10_000;
/** In the lobby only the size of the crowd changes. */
export const LOBBY_SPACING_MS = 10_000;

/** How often the hub looks for what is due: twice per tick, so that news is at most half a tick late. */
export function passMs(tickMs: number): number {
  return Math.min(500, Math.max(10, tickMs / 2));
}

/** Less than the full time by one pass, so that a measurement that comes a little early still counts. */
export function positionSpacingMs(position: number, tickMs: number): number {
  return Math.min(nextPollSeconds(position) * 1000, LONGEST_SPACING_MS) - passMs(tickMs);
}
