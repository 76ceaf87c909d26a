import { type Line, orderOf, type Place } from '../model/line.ts';
import { positionOf } from './lanes.ts';
import { findPlace, remove } from './sessions.ts';

export type RenameResult =
  /** The place is `to`'s now. */
  | { outcome: 'renamed'; place: Place }
  /** `to` had a better one, which stays; the other is gone. */
  | { outcome: 'kept'; place: Place }
  /** `from` has no place, so there is nothing to do. */
  | { outcome: 'absent' }
  /** Lots are being given to those on the list, under the names they were put on it: to be tried again in a moment. */
  | { outcome: 'drawing' };

/** Further on is better; among those equally far, who goes in sooner. */
const PROGRESS: Readonly<Record<Place['state'], number>> = { lobby: 0, waiting: 1, admitted: 2, active: 3 };

/**
 * One who was known as `from` is known as `to` from now on: their place is `to`'s, with its lane, its number and so with
 * its token id. Of two places the better one stays, so that nobody has two (invariant 3). Done twice, it is done once.
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
  // Of two lanes one cannot say before a draw; then the one that goes first is the better guess.
  if (a.state === 'lobby') return a.lane === 'priority';
  return a.state === 'waiting' ? positionOf(line, a) < positionOf(line, b) : a.number < b.number;
}

/** A place belongs to one visitor for ever, so another one takes its stand; deadlines of the old one find it gone. */
function giveTo(line: Line, place: Place, visitor: string): Place {
  const given = { ...place, visitor };
  line.places.delete(place.visitor);
  line.places.set(visitor, given);
  if (given.state === 'waiting' || given.state === 'lobby') {
    const order = given.state === 'lobby' ? line.lobby : orderOf(line, given.lane);
    order.remove(given.number);
    order.insert(given.number, given);
    line.silences.push(given.seenAt + line.settings.seenTtlMs, given);
  } else {
    line[given.state].delete(place);
    line[given.state].add(given);
    line.endings.push(given.expiresAt, given);
  }
  line.onChange({ kind: 'put', place: given });
  return given;
}
