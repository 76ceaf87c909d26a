/**
 * How a draw goes about, step by bounded step: it begins, those present are put on the list, each gets the number of
 * their lot, it is done. What the lots are is not decided here (draw.ts). Every step may be repeated.
 */
import { isHole, TICKET_BYTES } from '../model/draw-state.ts';
import type { Lane } from '../model/lanes.ts';
import { type Line, orderOf, type Place } from '../model/line.ts';
import { phaseAt } from '../model/room-settings.ts';
import { isSilent, lapse } from './sessions.ts';

/** Before the draw: a visitor who is there, without a number. */
export function standInLobby(line: Line, visitor: string, lane: Lane, now: number): Place {
  const place: Place = {
    visitor,
    number: line.nextArrival,
    state: 'lobby',
    lane,
    joinedAt: now,
    seenAt: now,
    admittedAt: 0,
    activeAt: 0,
    expiresAt: 0,
  };
  line.nextArrival += 1;
  line.places.set(visitor, place);
  line.lobby.insert(place.number, place);
  line.silences.push(now + line.settings.seenTtlMs, place);
  line.onChange({ kind: 'put', place });
  return place;
}

/** From the announcement until the lots are given nobody is let in. */
export function holdsAdmission({ draw }: Line): boolean {
  return draw !== undefined && draw.phase !== 'drawn';
}

/**
 * At opensAt, or when a closed room is opened after it: from now on nobody comes into the lobby, and numbers are kept
 * for all who are there, so that whoever comes next stands behind them. Pausing holds admission, not the draw.
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
  draw.present = Buffer.alloc(draw.lastArrival * TICKET_BYTES);
  line.nextNumber += draw.size;
  line.onChange({ kind: 'draw', draw });
}

/** The visitors of the `limit` arrivals behind `after`; '' for who left, or was silent when the draw began and lapses. */
export function readLobby(line: Line, after: number, limit: number): string[] {
  const { beganAt, lastArrival } = line.draw!;
  const visitors: string[] = [];
  for (let arrival = after + 1; arrival <= Math.min(after + limit, lastArrival); arrival += 1) {
    const place = line.lobby.get(arrival);
    const isLate = place !== undefined && isSilent(line, place, beganAt);
    if (isLate) lapse(line, place);
    visitors.push(place === undefined || isLate ? '' : place.visitor);
  }
  return visitors;
}

/** Puts on the list who takes part of the arrivals behind `from`: 16 bytes for each of them, zeros for who does not. */
export function addPresent(line: Line, { from, tickets }: { from: number; tickets: Buffer }): void {
  const draw = line.draw!;
  if (draw.phase !== 'drawing' || draw.gatheredTo !== from) return;
  const length = tickets.length / TICKET_BYTES;
  tickets.copy(draw.present, from * TICKET_BYTES);
  for (let index = 0; index < length; index += 1) if (!isHole(tickets, index)) draw.count += 1;
  draw.gatheredTo = from + length;
  line.onChange({ kind: 'gathered', draw, from });
}

/**
 * The arrivals behind `from` go from the lobby to the numbers of their lots, each in their own lane. Who has left
 * meanwhile leaves the number empty; 0 is the number of who does not take part.
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

/** Once the lobby is empty. Admission goes on from here. */
export function finishDraw(line: Line, listHash: string, now: number): void {
  const { draw } = line;
  if (draw?.phase !== 'drawing' || line.lobby.size > 0) return;
  draw.phase = 'drawn';
  draw.listHash = listHash;
  draw.drawnAt = now;
  line.onChange({ kind: 'draw', draw });
}
