import type { Line, Place } from '../model/line.ts';
import { findPlace, isWaiter, remove, silenceEnd } from './sessions.ts';

export type DisconnectResult = { outcome: 'left'; from: Place['state'] } | { outcome: 'kept' } | { outcome: 'absent' };

/**
 * The visitor's last live connection closed, which is not leaving. A waiting visitor keeps the place for
 * disconnectGraceMs; one inside stays inside unless the room has releaseOnDisconnect. A ready visitor of a claim room
 * was promised the claim time and keeps it.
 */
export function disconnect(line: Line, visitor: string, now: number): DisconnectResult {
  const place = findPlace(line, visitor, now);
  if (place === undefined) return { outcome: 'absent' };
  const { admission, disconnectGraceMs, releaseOnDisconnect } = line.settings;
  const waits = isWaiter(place);
  const isPromised = place.state === 'admitted' && admission === 'claim';
  const isReleased = waits ? disconnectGraceMs === 0 : releaseOnDisconnect && !isPromised;
  if (isReleased) {
    remove(line, place);
    return { outcome: 'left', from: place.state };
  }
  // The connection was a sign of life until now: a page that reconnects within some seconds is not passed over.
  if (waits) {
    place.seenAt = now;
    place.isDisconnected = true;
    line.silences.push(silenceEnd(line, place), place);
  }
  return { outcome: 'kept' };
}
