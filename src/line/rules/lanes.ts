/** Which lane the next admission comes from, and where a waiter stands among all who wait. */
import { countGoingBefore, type Lane, nextTurn } from '../model/lanes.ts';
import { type Line, orderOf, type Place } from '../model/line.ts';

/** In which lane a newcomer stands: a room that keeps no share for it has no priority lane. */
export function laneFor({ settings }: Line, priority: boolean): Lane {
  return priority && settings.priorityShare > 0 ? 'priority' : 'ordinary';
}

/** Whose turn it is of the two heads, where both are there; spends or adds to the credit. */
export function takeTurn(line: Line, ordinary: Place, priority: Place): Place {
  const share = line.settings.priorityShare;
  // The share was taken back while members waited: they stand where their numbers say.
  if (share === 0) return ordinary.number < priority.number ? ordinary : priority;
  const turn = nextTurn(line.credit, share);
  line.credit = turn.credit;
  return turn.lane === 'priority' ? priority : ordinary;
}

/** Where a waiter stands: 1 is next, if the lanes stay as they are now. */
export function positionOf(line: Line, { lane, number }: Pick<Place, 'lane' | 'number'>): number {
  return positionAt(line, lane, orderOf(line, lane).rankOf(number), number);
}

/** The same for the one with `number` who stands at `rank` of their own lane. */
export function positionAt(line: Line, lane: Lane, rank: number, number: number): number {
  // While lots are given, all who have none yet stand before whoever came later.
  const position = rank + line.lobby.size;
  const other = orderOf(line, lane === 'priority' ? 'ordinary' : 'priority');
  const share = line.settings.priorityShare;
  if (other.size === 0) return position;
  if (share === 0) return position + other.rankOf(number) - 1;
  return position + Math.min(other.size, countGoingBefore(lane, rank, line.credit, share));
}
