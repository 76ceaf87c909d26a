/** The lane of the next admission, and a visitor's position among all who wait. */
import { countGoingBefore, type Lane, nextTurn } from '../model/lanes.ts';
import { type Line, orderOf, type Place } from '../model/line.ts';

/** The lane of a new visitor. A room whose priorityShare is 0 has no priority lane. */
export function laneFor({ settings }: Line, priority: boolean): Lane {
  return priority && settings.priorityShare > 0 ? 'priority' : 'ordinary';
}

/** Which of the two heads is next; updates the credit. */
export function takeTurn(line: Line, ordinary: Place, priority: Place): Place {
  const share = line.settings.priorityShare;
  // The share was set to 0 while members waited: numbers alone decide.
  if (share === 0) return ordinary.number < priority.number ? ordinary : priority;
  const turn = nextTurn(line.credit, share);
  line.credit = turn.credit;
  return turn.lane === 'priority' ? priority : ordinary;
}

/** The position of a waiting visitor if the lanes do not change; 1 is next. */
export function positionOf(line: Line, { lane, number }: Pick<Place, 'lane' | 'number'>): number {
  return positionAt(line, lane, orderOf(line, lane).rankOf(number), number);
}

/** The same for a visitor with `number` at `rank` of their own lane. */
export function positionAt(line: Line, lane: Lane, rank: number, number: number): number {
  // While a draw assigns numbers, visitors still in the lobby are ahead of those who came later.
  const position = rank + line.lobby.size;
  const other = orderOf(line, lane === 'priority' ? 'ordinary' : 'priority');
  const share = line.settings.priorityShare;
  if (other.size === 0) return position;
  if (share === 0) return position + other.rankOf(number) - 1;
  return position + Math.min(other.size, countGoingBefore(lane, rank, line.credit, share));
}
