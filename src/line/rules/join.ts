import { countWaiting, type Line, type Place } from '../line.ts';
import { type Phase, phaseAt } from '../room-settings.ts';
import { takeOne } from './bucket.ts';
import { beginDrawIfDue, holdsAdmission, standInLobby } from './draw.ts';
import { countFree, isTooEarly } from './free-slots.ts';
import { admitAtOnce, endDue, findPlace, touch } from './sessions.ts';

export type JoinResult = { outcome: 'joined' | 'already'; place: Place } | { outcome: 'closed' };

/** Sessions ended on the way by one request; what is left over is for the next one, or the tick. */
const END_LIMIT = 1_000;

/**
 * Gives the visitor a place, or finds the one they have (invariant 3). Straight in if nobody waits and there is room,
 * else to the end of the line (invariant 2).
 */
export function join(line: Line, visitor: string, now: number): JoinResult {
  endDue(line, now, END_LIMIT);
  const known = findPlace(line, visitor, now);
  if (known !== undefined) {
    touch(line, known, now);
    return { outcome: 'already', place: known };
  }
  beginDrawIfDue(line, now);
  const phase = phaseAt(line.settings, now);
  if (phase === 'closed') return { outcome: 'closed' };
  const place =
    line.draw?.phase === 'announced' ? standInLobby(line, visitor, now) : addPlace(line, visitor, phase, now);
  return { outcome: 'joined', place };
}

function addPlace(line: Line, visitor: string, phase: Phase, now: number): Place {
  const place: Place = {
    visitor,
    number: line.nextNumber,
    state: 'waiting',
    joinedAt: now,
    seenAt: now,
    admittedAt: 0,
    activeAt: 0,
    expiresAt: 0,
  };
  line.nextNumber += 1;
  line.places.set(visitor, place);
  if (mayGoStraightIn(line, phase, now)) admitAtOnce(line, place, now);
  else standInLine(line, place);
  return place;
}

function mayGoStraightIn(line: Line, phase: Phase, now: number): boolean {
  const isFirst = phase === 'open' && countWaiting(line) === 0 && !holdsAdmission(line);
  return isFirst && countFree(line) > 0 && !isTooEarly(line, now, now) && takeOne(line, now);
}

function standInLine(line: Line, place: Place): void {
  line.waiting.insert(place.number, place);
  line.silences.push(place.seenAt + line.settings.seenTtlMs, place);
  line.onChange({ kind: 'put', place });
}
