/**
 * Visitors who are not there hold nobody up: at the head of the line they are passed over. They keep their number and are
 * away until they are heard from again; then they are back at their number, ahead of everyone behind them.
 */
import { countInLine, type Line, orderOf, type Place, positionOf } from '../model/line.ts';
import { LOBBY_QUIET_MS, longestTickGapMs, quietMsAt } from '../model/presence.ts';

/** Whether a waiting visitor has been quiet for too long to be admitted now. */
export function isQuiet({ standstill, presentFrom }: Line, { seenAt, quietMs }: Place, now: number): boolean {
  return Math.max(seenAt, standstill.resumedAt, presentFrom) + quietMs <= now;
}

/** Passes over a quiet visitor at the head. For the pace it is a departure: it brings everyone behind nearer. */
export function passOver(line: Line, place: Place): void {
  orderOf(line, place.lane).remove(place.number);
  line.away.set(place.number, place);
  place.isAway = true;
  line.flow.departed += 1;
  line.tally.passedOver += 1;
  line.onChange({ kind: 'away', number: place.number, isAway: true });
}

/** Notes a sign of life of a visitor in line or in the lobby. One who was away is back at their number. */
export function hear(line: Line, place: Place, now: number): void {
  place.seenAt = now;
  place.isDisconnected = false;
  if (place.isAway) comeBack(line, place, now);
  place.quietMs = expectedQuietMs(line, place);
}

/** By what the doors tell the visitor about their next poll. */
export function expectedQuietMs(line: Line, place: Place): number {
  if (place.state === 'lobby') return LOBBY_QUIET_MS;
  // Nobody has a position behind the end: most lines are short, and this saves finding the rank.
  const most = quietMsAt(countInLine(line) + line.lobby.size);
  return most === quietMsAt(1) ? most : quietMsAt(positionOf(line, place));
}

/** Called before a tick: without ticks nobody was examined, and most likely nobody could be heard. */
export function noteTickGap(line: Line, now: number): void {
  if (now - line.tickedAt > longestTickGapMs(line.tickMs)) line.presentFrom = now;
}

function comeBack(line: Line, place: Place, now: number): void {
  line.away.delete(place.number);
  orderOf(line, place.lane).insert(place.number, place);
  place.isAway = false;
  line.returnedAt = now;
  line.flow.departed -= 1;
  line.tally.returned += 1;
  line.onChange({ kind: 'away', number: place.number, isAway: false });
}
