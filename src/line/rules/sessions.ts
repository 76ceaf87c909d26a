/** What happens to one place: it is seen, it is let in, it ends. The other rules are made of these. */
import { type Line, orderOf, type Place } from '../model/line.ts';
import { endingTime, silenceTime } from './standstill.ts';

/** Looks `visitor` up; a claim or session that is over is ended on the way, so that nobody acts on it. */
export function findPlace(line: Line, visitor: string, now: number): Place | undefined {
  const place = line.places.get(visitor);
  if (place === undefined || !isOver(place, endingTime(line, now))) return place;
  end(line, place);
  return undefined;
}

/**
 * Notes that the visitor is there: a waiter stays in line, an admitted one has shown up, a session is prolonged. In a
 * claim room being there is not asking to enter: who is ready stays ready, and not for longer.
 */
export function touch(line: Line, place: Place, now: number): void {
  place.seenAt = now;
  if (place.state === 'admitted' && line.settings.admission === 'auto') beginSession(line, place, now);
  // Never shortened: what a token already promises stays true when an operator cuts the session's length.
  if (place.state === 'active') place.expiresAt = Math.max(place.expiresAt, sessionEnd(line, place, now));
}

/** Lets a waiter in. */
export function admit(line: Line, place: Place, now: number): void {
  orderOf(line, place.lane).remove(place.number);
  reserve(line, place, now);
}

/** Lets somebody in who is there right now and need not wait: straight to a session, or to being ready for one. */
export function admitAtOnce(line: Line, place: Place, now: number): void {
  if (line.settings.admission === 'claim') {
    reserve(line, place, now);
  } else {
    noteEntry(line, place, now);
    beginSession(line, place, now);
  }
}

/** Keeps a slot for claimTtlMs, within which the visitor has to show up or, in a claim room, to enter. */
function reserve(line: Line, place: Place, now: number): void {
  line.admitted.add(place);
  place.state = 'admitted';
  noteEntry(line, place, now);
  place.expiresAt = now + line.settings.claimTtlMs;
  line.endings.push(place.expiresAt, place);
  line.onChange({ kind: 'put', place });
}

/** The place is gone, for whatever reason. Its number is not given again. */
export function remove(line: Line, place: Place): void {
  const { state, number } = place;
  if (state === 'lobby') {
    // Nobody in line is nearer to their turn by it, so it is no departure by which the pace is measured.
    line.lobby.remove(number);
  } else if (state === 'waiting') {
    orderOf(line, place.lane).remove(number);
    line.flow.departed += 1;
  } else {
    line[state].delete(place);
    line.flow.freed += 1;
    line.flow.enteredSeconds -= Math.floor(place.admittedAt / 1000);
  }
  line.places.delete(place.visitor);
  line.onChange(state === 'lobby' ? { kind: 'gone-from-lobby', arrival: number } : { kind: 'gone', number });
}

/** In line or in the lobby: whoever has to give signs of life to keep the place. */
export function isWaiter({ state }: Place): boolean {
  return state === 'waiting' || state === 'lobby';
}

/** A waiter not seen for so long that nobody is there any more. */
export function isSilent(line: Line, place: Place, now: number): boolean {
  return silenceEnd(line, place) <= silenceTime(line, now);
}

/** When the silence of a waiter is too long, if they are not seen again. */
export function silenceEnd({ settings, standstill }: Line, { seenAt }: Place): number {
  return Math.max(seenAt, standstill.resumedAt) + settings.seenTtlMs;
}

export function lapse(line: Line, place: Place): void {
  line.tally.lapsed += 1;
  remove(line, place);
}

/** Ends claims and sessions that are over, `limit` at most. True if it stopped at the limit. */
export function endDue(line: Line, now: number, limit: number): boolean {
  const time = endingTime(line, now);
  for (let looked = 0; looked < limit; looked += 1) {
    const place = line.endings.popDue(time);
    if (place === undefined) return false;
    if (line.places.get(place.visitor) !== place) continue;
    if (isOver(place, time)) end(line, place);
    else line.endings.push(place.expiresAt, place);
  }
  return true;
}

function noteEntry(line: Line, place: Place, now: number): void {
  place.admittedAt = now;
  line.flow.enteredSeconds += Math.floor(now / 1000);
}

function isOver(place: Place, time: number): boolean {
  return !isWaiter(place) && place.expiresAt <= time;
}

function end(line: Line, place: Place): void {
  if (place.state === 'admitted') line.tally.noShows += 1;
  else line.tally.ended += 1;
  remove(line, place);
}

/** The visitor is let in and there. */
export function beginSession(line: Line, place: Place, now: number): void {
  line.admitted.delete(place);
  line.active.add(place);
  place.state = 'active';
  place.activeAt = now;
  place.expiresAt = sessionEnd(line, place, now);
  line.endings.push(place.expiresAt, place);
  line.onChange({ kind: 'put', place });
}

/** When a session that is seen at `now` ends: after activeTtlMs, within the cap. */
export function sessionEnd({ settings }: Line, place: Place, now: number): number {
  const from = settings.renew ? now : place.activeAt;
  return Math.min(from + settings.activeTtlMs, place.activeAt + settings.activeMaxTtlMs);
}
