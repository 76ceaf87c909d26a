import type { Lane } from '../model/lanes.ts';
import { countWaiting, type Line, orderOf, type Place } from '../model/line.ts';
import { type Phase, phaseAt } from '../model/room-settings.ts';
import { takeOne } from './bucket.ts';
import { beginDrawIfDue, holdsAdmission, standInLobby } from './draw.ts';
import { countFree, isTooEarly } from './free-slots.ts';
import { laneFor } from './lanes.ts';
import { admitAtOnce, endDue, findPlace, touch } from './sessions.ts';

export type JoinResult =
  | { outcome: 'joined' | 'already'; place: Place }
  | { outcome: 'closed' }
  /** Tier 1 gives the numbers now. */
  | { outcome: 'number-required' };
export type JoinWithNumberResult = JoinResult | { outcome: 'used' };

/** Sessions ended on the way by one request; what is left over is for the next one, or the tick. */
const END_LIMIT = 1_000;

/**
 * Gives the visitor a place, or finds the one they have (invariant 3), in the lane that it is in. Straight in if nobody
 * waits and there is room, else to the end of the lane (invariant 2). `priority`: whether to stand in the lane that goes
 * first, if the room has one.
 */
export function join(line: Line, visitor: string, now: number, priority = false): JoinResult {
  const known = findKnown(line, visitor, now);
  if (known !== undefined) return { outcome: 'already', place: known };
  beginDrawIfDue(line, now);
  const phase = phaseAt(line.settings, now);
  if (phase === 'closed') return { outcome: 'closed' };
  if (line.numberedBy !== undefined) return { outcome: 'number-required' };
  return { outcome: 'joined', place: standLast(line, { visitor, lane: laneFor(line, priority) }, phase, now) };
}

/**
 * The same with a number that tier 1 gave, where the visitor then stands. A number is good once (invariant 7). Where lots
 * are drawn it only lets the visitor in: it says when somebody came to tier 1, which is to be of no advantage.
 */
export function joinWithNumber(
  line: Line,
  { visitor, number }: { visitor: string; number: number },
  now: number,
  priority = false,
): JoinWithNumberResult {
  const known = findKnown(line, visitor, now);
  if (known !== undefined) return { outcome: 'already', place: known };
  beginDrawIfDue(line, now);
  const phase = phaseAt(line.settings, now);
  if (phase === 'closed') return { outcome: 'closed' };
  const isByLot = line.draw !== undefined;
  if (line.exchanged.has(number) || (!isByLot && isTaken(line, number))) return { outcome: 'used' };
  line.exchanged.add(number);
  line.onChange({ kind: 'exchanged', number });
  const lane = laneFor(line, priority);
  const place = isByLot
    ? standLast(line, { visitor, lane }, phase, now)
    : addPlace(line, { visitor, number, lane }, phase, now);
  return { outcome: 'joined', place };
}

/** Behind all who are there in the lane; before a draw, among them. */
function standLast(line: Line, { visitor, lane }: Newcomer, phase: Phase, now: number): Place {
  if (line.draw?.phase === 'announced') return standInLobby(line, visitor, lane, now);
  return addPlace(line, { visitor, number: line.nextNumber, lane }, phase, now);
}

interface Newcomer {
  visitor: string;
  lane: Lane;
}

function isTaken({ waiting, priority }: Line, number: number): boolean {
  return waiting.has(number) || priority.has(number);
}

function findKnown(line: Line, visitor: string, now: number): Place | undefined {
  endDue(line, now, END_LIMIT);
  const known = findPlace(line, visitor, now);
  if (known !== undefined) touch(line, known, now);
  return known;
}

function addPlace(
  line: Line,
  { visitor, number, lane }: Newcomer & { number: number },
  phase: Phase,
  now: number,
): Place {
  const place: Place = {
    visitor,
    number,
    state: 'waiting',
    lane,
    joinedAt: now,
    seenAt: now,
    admittedAt: 0,
    activeAt: 0,
    expiresAt: 0,
  };
  line.nextNumber = Math.max(line.nextNumber, number + 1);
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
  orderOf(line, place.lane).insert(place.number, place);
  line.silences.push(place.seenAt + line.settings.seenTtlMs, place);
  line.onChange({ kind: 'put', place });
}
