import { type Line, orderOf, type Place, positionOf } from '../model/line.ts';
import { findPlace, remove, silenceEnd } from './sessions.ts';

export type RenameResult =
  /** The place now belongs to `to`. */
  | { outcome: 'renamed'; place: Place }
  /** `to` had a better place, which stays; the place of `from` is removed. */
  | { outcome: 'kept'; place: Place }
  /** `from` has no place. */
  | { outcome: 'absent' }
  /** A draw is assigning numbers to the visitors on its list: retry in a moment. */
  | { outcome: 'drawing' };

/** More progress is better; among equals, the place that is admitted sooner. */
const PROGRESS: Readonly<Record<Place['state'], number>> = { lobby: 0, waiting: 1, admitted: 2, active: 3 };

/**
 * Moves the place of visitor `from` to visitor `to`, for example when a guest signs in. Lane, number and token id stay.
 * If both have a place the better one stays, because nobody has two (invariant 3). Idempotent.
 */
export function rename(line: Line, from: string, to: string, now: number): RenameResult {
  const place = findPlace(line, from, now);
  if (place === undefined || from === to) return { outcome: 'absent' };
  if (line.draw?.phase === 'drawing') return { outcome: 'drawing' };
  const other = findPlace(line, to, now);
  if (other !== undefined && isBetter(line, other, place)) {
    remove(line, place);
    return { outcome: 'kept', place: other };
  }
  if (other !== undefined) remove(line, other);
  return { outcome: 'renamed', place: giveTo(line, place, to) };
}

function isBetter(line: Line, a: Place, b: Place): boolean {
  const ahead = PROGRESS[a.state] - PROGRESS[b.state];
  if (ahead !== 0) return ahead > 0;
  if (a.lane === b.lane) return a.number < b.number;
  // Before a draw, places in different lanes cannot be compared; the priority lane is the better guess.
  if (a.state === 'lobby') return a.lane === 'priority';
  return a.state === 'waiting' ? positionOf(line, a) < positionOf(line, b) : a.number < b.number;
}

/** `visitor` of a place is immutable, so a copy replaces it; deadlines of the old object are ignored as stale. */
function giveTo(line: Line, place: Place, visitor: string): Place {
  const given = { ...place, visitor };
  line.places.delete(place.visitor);
  line.places.set(visitor, given);
  if (given.state === 'waiting' || given.state === 'lobby') {
    replaceWaiter(line, given);
    line.silences.push(silenceEnd(line, given), given);
  } else {
    line[given.state].delete(place);
    line[given.state].add(given);
    line.endings.push(given.expiresAt, given);
  }
  line.onChange({ kind: 'put', place: given });
  return given;
}

function replaceWaiter(line: Line, given: Place): void {
  if (given.isAway) {
    line.away.set(given.number, given);
    return;
  }
  const order = given.state === 'lobby' ? line.lobby : orderOf(line, given.lane);
  order.remove(given.number);
  order.insert(given.number, given);
}
