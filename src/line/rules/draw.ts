/**
 * How a draw goes about, step by bounded step: it begins, those present are put on the list, each gets the number of
 * their lot, it is done. What the lots are is not decided here (draw.ts). Every step may be repeated.
 */
import { TICKET_BYTES } from '../draw-state.ts';
import type { Line, Place } from '../line.ts';
import { phaseAt } from '../room-settings.ts';
import { isSilent, lapse } from './sessions.ts';

/** Before the draw: a visitor who is there, without a number. */
export function standInLobby(line: Line, visitor: string, now: number): Place {
  const place: Place = {
    visitor,
    number: line.nextArrival,
    state: 'lobby',
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
  draw.present = Buffer.alloc(draw.size * TICKET_BYTES);
  line.nextNumber += draw.size;
  line.onChange({ kind: 'draw', draw });
}

/** Who of the lobby is among the `limit` arrivals behind `after`; those who were silent when the draw began lapse. */
export function readLobby(line: Line, after: number, limit: number): { present: Place[]; to: number } {
  const to = Math.min(after + limit, line.nextArrival - 1);
  const present: Place[] = [];
  for (let arrival = after + 1; arrival <= to; arrival += 1) {
    const place = line.lobby.get(arrival);
    if (place === undefined) continue;
    if (isSilent(line, place, line.draw!.beganAt)) lapse(line, place);
    else present.push(place);
  }
  return { present, to };
}

/** Puts tickets on the list: those of the arrivals behind `from` up to `to`. */
export function addPresent(line: Line, { from, to, tickets }: { from: number; to: number; tickets: Buffer }): void {
  const draw = line.draw!;
  if (draw.phase !== 'drawing' || draw.gatheredTo !== from) return;
  const count = draw.count;
  tickets.copy(draw.present, count * TICKET_BYTES);
  draw.count += tickets.length / TICKET_BYTES;
  draw.gatheredTo = to;
  line.onChange({ kind: 'gathered', draw, from: count });
}

/** The visitor goes from the lobby to where the lot says. Who has left meanwhile leaves the number empty. */
export function giveNumber(line: Line, visitor: string, number: number): void {
  const place = line.places.get(visitor);
  if (place?.state !== 'lobby' || line.draw?.phase !== 'drawing') return;
  line.lobby.remove(place.number);
  line.onChange({ kind: 'gone-from-lobby', arrival: place.number });
  place.number = number;
  place.state = 'waiting';
  line.waiting.insert(number, place);
  line.onChange({ kind: 'put', place });
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
