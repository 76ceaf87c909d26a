import type { Lane } from '../model/lanes.ts';
import { countInLine, type Line, orderOf, type Place } from '../model/line.ts';
import { type Phase, phaseAt } from '../model/room-settings.ts';
import { expectedQuietMs } from './away.ts';
import { beginDrawIfDue, holdsAdmission, standInLobby } from './draw.ts';
import { countFree, isTooEarly, takeOne } from './free-slots.ts';
import { admitAtOnce, endDue, findPlace, touch } from './sessions.ts';

export type JoinResult =
  | { outcome: 'joined' | 'already'; place: Place }
  | { outcome: 'closed' }
  /** Tier 1 assigns the numbers now. */
  | { outcome: 'number-required' };
export type JoinWithNumberResult = JoinResult | { outcome: 'used' };

/** How many sessions one request may end; the next request or tick ends the rest. */
const END_LIMIT = 1_000;

/**
 * Gives the visitor a place, or returns the existing one (invariant 3) in its lane. Admits at once if nobody waits and
 * a slot is free, otherwise appends to the lane (invariant 2). `priority`: use the priority lane if the room has one.
 */
export function join(line: Line, visitor: string, now: number, priority = false): JoinResult {
  const known = findKnown(line, visitor, now);
  if (known !== undefined) return { outcome: 'already', place: known };
  if (line.draw !== undefined) beginDrawIfDue(line, now);
  const phase = phaseAt(line.settings, now);
  if (phase === 'closed') return { outcome: 'closed' };
  if (line.numberedBy !== undefined) return { outcome: 'number-required' };
  return { outcome: 'joined', place: standLast(line, { visitor, lane: laneFor(line, priority) }, phase, now) };
}

/**
 * Joins with a number of tier 1, which becomes the visitor's number. A number can be used once (invariant 7). In a draw
 * room it only allows the visitor to join: early arrival at tier 1 must be no advantage there.
 */
export function joinWithNumber(
  line: Line,
  { visitor, number }: { visitor: string; number: number },
  now: number,
  priority = false,
): JoinWithNumberResult {
  const known = findKnown(line, visitor, now);
  if (known !== undefined) return { outcome: 'already', place: known };
  if (line.draw !== undefined) beginDrawIfDue(line, now);
  const phase = phaseAt(line.settings, now);
  if (phase === 'closed') return { outcome: 'closed' };
  const isDrawn = line.draw !== undefined;
  if (line.exchanged.has(number) || (!isDrawn && isTaken(line, number))) return { outcome: 'used' };
  line.exchanged.add(number);
  line.onChange({ kind: 'exchanged', number });
  const lane = laneFor(line, priority);
  const place = isDrawn
    ? standLast(line, { visitor, lane }, phase, now)
    : addPlace(line, { visitor, number, lane }, phase, now);
  return { outcome: 'joined', place };
}

/** The lane of a new visitor. A room whose priorityShare is 0 has no priority lane. */
function laneFor({ settings }: Line, priority: boolean): Lane {
  return priority && settings.priorityShare > 0 ? 'priority' : 'ordinary';
}

/** At the end of the lane; before a draw, in the lobby. */
function standLast(line: Line, { visitor, lane }: Newcomer, phase: Phase, now: number): Place {
  if (line.draw?.phase === 'announced') return standInLobby(line, visitor, lane, now);
  return addPlace(line, { visitor, number: line.nextNumber, lane }, phase, now);
}

interface Newcomer {
  visitor: string;
  lane: Lane;
}

function isTaken({ waiting, priority, away }: Line, number: number): boolean {
  return waiting.has(number) || priority.has(number) || away.has(number);
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
    quietMs: 0,
    isDisconnected: false,
    isAway: false,
    admittedAt: 0,
    activeAt: 0,
    isTold: false,
    expiresAt: 0,
  };
  line.nextNumber = Math.max(line.nextNumber, number + 1);
  line.places.set(visitor, place);
  if (mayGoStraightIn(line, phase, now)) admitAtOnce(line, place, now);
  else standInLine(line, place);
  return place;
}

function mayGoStraightIn(line: Line, phase: Phase, now: number): boolean {
  // Visitors who are away hold nobody up.
  const isFirst = phase === 'open' && countInLine(line) + line.lobby.size === 0 && !holdsAdmission(line);
  return isFirst && countFree(line) > 0 && !isTooEarly(line, now, now) && takeOne(line, now);
}

function standInLine(line: Line, place: Place): void {
  orderOf(line, place.lane).insert(place.number, place);
  place.quietMs = expectedQuietMs(line, place);
  line.silences.push(place.seenAt + line.settings.seenTtlMs, place);
  line.onChange({ kind: 'put', place });
}
