/** What happens to one place: it is seen, it is let in, it ends. The other rules are made of these. */
import type { Line, Place } from '../line.ts';

/** Looks `visitor` up; a claim or session that is over is ended on the way, so that nobody acts on it. */
export function findPlace(line: Line, visitor: string, now: number): Place | undefined {
  const place = line.places.get(visitor);
  if (place === undefined || !isOver(place, now)) return place;
  end(line, place);
  return undefined;
}

/** Notes that the visitor is there: a waiter stays in line, an admitted one has shown up, a session is prolonged. */
export function touch(line: Line, place: Place, now: number): void {
  place.seenAt = now;
  if (place.state === 'admitted') beginSession(line, place, now);
  // Never shortened: what a token already promises stays true when an operator cuts the session's length.
  if (place.state === 'active') place.expiresAt = Math.max(place.expiresAt, sessionEnd(line, place, now));
}

/** Lets a waiter in, who has claimTtlMs to show up. */
export function admit(line: Line, place: Place, now: number): void {
  line.waiting.remove(place.number);
  line.admitted.add(place);
  place.state = 'admitted';
  place.admittedAt = now;
  place.expiresAt = now + line.settings.claimTtlMs;
  line.endings.push(place.expiresAt, place);
  line.onChange({ kind: 'put', place });
}

/** Lets somebody in who is there right now and need not wait. */
export function admitAtOnce(line: Line, place: Place, now: number): void {
  place.admittedAt = now;
  beginSession(line, place, now);
}

/** The place is gone, for whatever reason. Its number is not given again. */
export function remove(line: Line, place: Place): void {
  const { state, number } = place;
  if (state === 'waiting' || state === 'lobby') line[state].remove(number);
  else line[state].delete(place);
  line.places.delete(place.visitor);
  line.onChange(state === 'lobby' ? { kind: 'gone-from-lobby', arrival: number } : { kind: 'gone', number });
}

/** In line or in the lobby: whoever has to give signs of life to keep the place. */
export function isWaiter({ state }: Place): boolean {
  return state === 'waiting' || state === 'lobby';
}

/** A waiter not seen for so long that nobody is there any more. */
export function isSilent(line: Line, place: Place, now: number): boolean {
  return place.seenAt + line.settings.seenTtlMs <= now;
}

export function lapse(line: Line, place: Place): void {
  line.tally.lapsed += 1;
  remove(line, place);
}

/** Ends claims and sessions that are over, `limit` at most. True if it stopped at the limit. */
export function endDue(line: Line, now: number, limit: number): boolean {
  for (let looked = 0; looked < limit; looked += 1) {
    const place = line.endings.popDue(now);
    if (place === undefined) return false;
    if (line.places.get(place.visitor) !== place) continue;
    if (isOver(place, now)) end(line, place);
    else line.endings.push(place.expiresAt, place);
  }
  return true;
}

function isOver(place: Place, now: number): boolean {
  return !isWaiter(place) && place.expiresAt <= now;
}

function end(line: Line, place: Place): void {
  if (place.state === 'admitted') line.tally.noShows += 1;
  else line.tally.ended += 1;
  remove(line, place);
}

function beginSession(line: Line, place: Place, now: number): void {
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
