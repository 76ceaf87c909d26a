/** The transitions of one place: seen, admitted, ended. The other rules are built from these. */
import { type Line, orderOf, type Place } from '../model/line.ts';
import type { RoomSettings } from '../model/room-settings.ts';
import { hear } from './away.ts';
import { returnToken } from './returned-tokens.ts';

/** Looks up a place. Ends a claim or session that has expired, so no caller acts on it. */
export function findPlace(line: Line, visitor: string, now: number): Place | undefined {
  const place = line.places.get(visitor);
  if (place === undefined || !isOver(place, endingTime(line, now))) return place;
  end(line, place);
  return undefined;
}

/**
 * The visitor was seen: one who waits stays in line, an admitted one becomes active, a session is extended. In a claim
 * room being seen does not enter: a ready visitor is told so, and stays ready.
 */
export function touch(line: Line, place: Place, now: number): void {
  if (isWaiter(place)) hear(line, place, now);
  else place.seenAt = now;
  if (place.state === 'admitted') {
    if (line.settings.admission === 'auto') beginSession(line, place, now);
    else tell(line, place, now);
  }
  // Never shortened: issued tokens stay valid when an operator reduces the session length.
  if (place.state === 'active') place.expiresAt = Math.max(place.expiresAt, sessionEnd(line, place, now));
}

/** Admits a waiting visitor, who does not know it yet. */
export function admit(line: Line, place: Place, now: number): void {
  orderOf(line, place.lane).remove(place.number);
  reserve(line, place, now, untoldEnd(line, now));
}

/** Admits a visitor who is present and need not wait: straight to active, or to ready in a claim room. */
export function admitAtOnce(line: Line, place: Place, now: number): void {
  if (line.settings.admission === 'claim') {
    place.isTold = true;
    reserve(line, place, now, now + line.settings.claimTtlMs);
  } else {
    noteEntry(line, place, now);
    beginSession(line, place, now);
  }
}

/**
 * The visitor learns that it is their turn. From then on, not from the admission, they have claimTtlMs to enter: a client
 * that asks rarely must not lose the turn. Once, so that asking again and again does not hold the slot.
 */
export function tell(line: Line, place: Place, now: number): void {
  if (place.isTold) return;
  place.isTold = true;
  const { expiresAt } = place;
  place.expiresAt = now + line.settings.claimTtlMs;
  if (place.expiresAt < expiresAt) line.endings.push(place.expiresAt, place);
  line.onChange({ kind: 'put', place });
}

/**
 * How long a slot of a claim room is reserved at least for a visitor who does not know yet that it is their turn: one and a
 * half of the longest interval at which any door asks its clients to poll.
 */
export const UNTOLD_MS = 90_000;

/** When the admission of a visitor who does not ask ends. Nobody keeps it longer than a place in line. */
function untoldEnd({ settings }: Line, now: number): number {
  const { admission, claimTtlMs, seenTtlMs } = settings;
  return now + (admission === 'claim' ? Math.max(claimTtlMs, Math.min(seenTtlMs, UNTOLD_MS)) : claimTtlMs);
}

/**
 * Until when entry is certain. A visitor who has not been told may have more time, but the next request may shorten that to
 * claimTtlMs.
 */
export function promisedEnd({ settings }: Line, { state, isTold, expiresAt }: Place, now: number): number {
  return state === 'admitted' && !isTold ? Math.min(expiresAt, now + settings.claimTtlMs) : expiresAt;
}

/** Reserves a slot; within it the visitor has to show up or, in a claim room, to enter. */
function reserve(line: Line, place: Place, now: number, expiresAt: number): void {
  line.admitted.add(place);
  place.state = 'admitted';
  noteEntry(line, place, now);
  place.expiresAt = expiresAt;
  line.endings.push(place.expiresAt, place);
  line.onChange({ kind: 'put', place });
}

/** Removes the place for any reason. Its number is never assigned again (invariant 3). */
export function remove(line: Line, place: Place): void {
  const { state, number } = place;
  if (state === 'lobby') {
    // Not a departure for the pace: it brings nobody in line nearer to their turn.
    line.lobby.remove(number);
  } else if (state === 'waiting') {
    removeWaiting(line, place);
  } else {
    line[state].delete(place);
    line.flow.freed += 1;
    line.flow.enteredSeconds -= Math.floor(place.admittedAt / 1000);
  }
  line.places.delete(place.visitor);
  line.onChange(state === 'lobby' ? { kind: 'gone-from-lobby', arrival: number } : { kind: 'gone', number });
}

/** A visitor who was passed over has counted as departed since. */
function removeWaiting(line: Line, { lane, number, isAway }: Place): void {
  if (isAway) {
    line.away.delete(number);
  } else {
    orderOf(line, lane).remove(number);
    line.flow.departed += 1;
  }
}

/** In line or in the lobby: the visitor must be seen regularly to keep the place. */
export function isWaiter({ state }: Place): boolean {
  return state === 'waiting' || state === 'lobby';
}

/** A waiting visitor who was not seen for seenTtlMs. */
export function isSilent(line: Line, place: Place, now: number): boolean {
  return silenceEnd(line, place) <= silenceTime(line, now);
}

/** When a waiting visitor lapses unless seen again. */
export function silenceEnd({ settings, standstill }: Line, place: Place): number {
  return Math.max(silentSince(settings, place), standstill.resumedAt) + settings.seenTtlMs;
}

/** A closed connection shortens the time until the place lapses to disconnectGraceMs. */
function silentSince({ seenTtlMs, disconnectGraceMs }: RoomSettings, { seenAt, isDisconnected }: Place): number {
  return isDisconnected ? Math.min(seenAt, seenAt - seenTtlMs + disconnectGraceMs) : seenAt;
}

export function lapse(line: Line, place: Place): void {
  line.tally.lapsed += 1;
  remove(line, place);
}

/** Ends expired claims and sessions, at most `limit`. True if it stopped at the limit. */
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
  if (place.state === 'admitted') {
    line.tally.noShows += 1;
    returnToken(line);
  } else {
    line.tally.ended += 1;
  }
  remove(line, place);
}

/** The visitor is admitted and present. */
export function beginSession(line: Line, place: Place, now: number): void {
  line.admitted.delete(place);
  line.active.add(place);
  place.state = 'active';
  place.activeAt = now;
  place.expiresAt = sessionEnd(line, place, now);
  line.endings.push(place.expiresAt, place);
  line.onChange({ kind: 'put', place });
}

/** When a session seen at `now` ends: after activeTtlMs, capped by activeMaxTtlMs. */
export function sessionEnd({ settings }: Line, place: Place, now: number): number {
  const from = settings.renew ? now : place.activeAt;
  return Math.min(from + settings.activeTtlMs, place.activeAt + settings.activeMaxTtlMs);
}

/*
 * Outages. While nothing ticks nobody is admitted, and visitors most likely cannot reach the server either: the store
 * or every process is down. That time costs no visitor anything. Claims and sessions do not end during a standstill, nor
 * for claimTtlMs after it, so visitors can return; silence before the line resumed does not count.
 */

/** After this long without a tick the line is at a standstill. */
export const STANDSTILL_AFTER_MS = 30_000;

/** The clock for silence: `now`, stopped during a standstill. */
export function silenceTime({ tickedAt }: Line, now: number): number {
  return tickedAt === 0 ? now : Math.min(now, tickedAt + STANDSTILL_AFTER_MS);
}

/** The clock for claims and sessions: also stopped in the grace after a standstill. */
export function endingTime(line: Line, now: number): number {
  const { stoppedAt, graceUntil } = line.standstill;
  return now < graceUntil ? stoppedAt : silenceTime(line, now);
}

/** Called before a tick: records a standstill that ends now. */
export function noteStandstill(line: Line, now: number): void {
  const stoppedAt = silenceTime(line, now);
  if (stoppedAt === now) return;
  line.standstill = {
    // A second standstill within the grace of the first keeps the earlier stop time.
    stoppedAt: endingTime(line, now),
    resumedAt: now,
    graceUntil: now + line.settings.claimTtlMs,
  };
}
