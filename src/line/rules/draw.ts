/**
 * The steps of a draw, each bounded and repeatable: begin, put the present visitors on the list, assign the numbers,
 * finish. The order of the lots is computed elsewhere (line/draw/draw.ts).
 */
import { isHole, LOT_BYTES } from '../model/draw-state.ts';
import type { Lane } from '../model/lanes.ts';
import { type Line, orderOf, type Place } from '../model/line.ts';
import { LOBBY_QUIET_MS } from '../model/presence.ts';
import { phaseAt } from '../model/room-settings.ts';
import { isSilent, lapse } from './sessions.ts';

/** Before the draw a visitor is present without a number. */
export function standInLobby(line: Line, visitor: string, lane: Lane, now: number): Place {
  const place: Place = {
    visitor,
    number: line.nextArrival,
    state: 'lobby',
    lane,
    joinedAt: now,
    seenAt: now,
    quietMs: LOBBY_QUIET_MS,
    isDisconnected: false,
    isAway: false,
    admittedAt: 0,
    activeAt: 0,
    isTold: false,
    expiresAt: 0,
  };
  line.nextArrival += 1;
  line.places.set(visitor, place);
  line.lobby.insert(place.number, place);
  line.silences.push(now + line.settings.seenTtlMs, place);
  line.onChange({ kind: 'put', place });
  return place;
}

/** From the announcement until the draw is done nobody is admitted. */
export function holdsAdmission({ draw }: Line): boolean {
  return draw !== undefined && draw.phase !== 'drawn';
}

/**
 * Begins at opensAt, or when a closed room is opened after it. The lobby closes, and one number is reserved for every
 * visitor in it; later visitors get numbers behind these. Pausing the room stops admission, not the draw.
 */
export function beginDrawIfDue(line: Line, now: number): void {
  const { draw, settings } = line;
  if (draw?.phase !== 'announced' || settings.opensAt === undefined || now < Date.parse(settings.opensAt)) return;
  if (phaseAt(settings, now) === 'closed') return;
  draw.phase = 'drawing';
  draw.beganAt = now;
  draw.firstNumber = line.nextNumber;
  draw.size = line.lobby.size;
  draw.lastArrival = line.nextArrival - 1;
  draw.present = Buffer.alloc(draw.lastArrival * LOT_BYTES);
  line.nextNumber += draw.size;
  line.onChange({ kind: 'draw', draw });
}

/** The visitors of the next `limit` arrivals after `after`; '' for one who left, or was silent when the draw began. */
export function readLobby(line: Line, after: number, limit: number): string[] {
  const { beganAt, lastArrival } = line.draw!;
  const visitors: string[] = [];
  for (let arrival = after + 1; arrival <= Math.min(after + limit, lastArrival); arrival += 1) {
    const place = line.lobby.get(arrival);
    const wasSilent = place !== undefined && isSilent(line, place, beganAt);
    if (wasSilent) lapse(line, place);
    visitors.push(place === undefined || wasSilent ? '' : place.visitor);
  }
  return visitors;
}

/** Adds the arrivals after `from` to the list: 16 bytes each, zeros for a visitor who does not take part. */
export function addPresent(line: Line, { from, lots }: { from: number; lots: Buffer }): void {
  const draw = line.draw!;
  if (draw.phase !== 'drawing' || draw.gatheredTo !== from) return;
  const length = lots.length / LOT_BYTES;
  lots.copy(draw.present, from * LOT_BYTES);
  for (let index = 0; index < length; index += 1) if (!isHole(lots, index)) draw.count += 1;
  draw.gatheredTo = from + length;
  line.onChange({ kind: 'gathered', draw, from });
}

/**
 * Moves the arrivals after `from` from the lobby to their drawn numbers, each in its own lane. The number of a visitor
 * who has left meanwhile stays unused; number 0 means that the arrival does not take part.
 */
export function giveNumbers(line: Line, { from, numbers }: { from: number; numbers: readonly number[] }): void {
  if (line.draw?.phase !== 'drawing') return;
  for (const [index, number] of numbers.entries()) {
    const place = number === 0 ? undefined : line.lobby.remove(from + 1 + index);
    if (place === undefined) continue;
    place.number = number;
    place.state = 'waiting';
    orderOf(line, place.lane).insert(number, place);
  }
  line.onChange({ kind: 'numbers-given', from, numbers });
}

/** Once the lobby is empty. Admission starts after this. */
export function finishDraw(line: Line, listHash: string, now: number): void {
  const { draw } = line;
  if (draw?.phase !== 'drawing' || line.lobby.size > 0) return;
  draw.phase = 'drawn';
  draw.listHash = listHash;
  draw.drawnAt = now;
  // Pages in the lobby poll again within some seconds after the draw.
  line.presentFrom = now;
  line.onChange({ kind: 'draw', draw });
}
