import type { Line, Place } from '../model/line.ts';
import { findPlace, isWaiter, remove } from './sessions.ts';

export type DisconnectResult = { outcome: 'left'; from: Place['state'] } | { outcome: 'kept' } | { outcome: 'absent' };

/**
 * The visitor's last live connection closed, which is not leaving. A waiter keeps the place for disconnectGraceMs; a
 * who is inside stays inside, unless the room lets go of them at once. Who is ready in a claim room was promised a time
 * to enter, and keeps it.
 */
export function disconnect(line: Line, visitor: string, now: number): DisconnectResult {
  const place = findPlace(line, visitor, now);
  if (place === undefined) return { outcome: 'absent' };
  const { admission, disconnectGraceMs, releaseOnDisconnect, seenTtlMs } = line.settings;
  const waits = isWaiter(place);
  const isPromised = place.state === 'admitted' && admission === 'claim';
  const isLetGo = waits ? disconnectGraceMs === 0 : releaseOnDisconnect && !isPromised;
  if (isLetGo) {
    remove(line, place);
    return { outcome: 'left', from: place.state };
  }
  // Last seen is dated back, so that the one rule for silent waiters finds them when the grace is over.
  if (waits) {
    place.seenAt = Math.min(now, now - seenTtlMs + disconnectGraceMs);
    line.silences.push(place.seenAt + seenTtlMs, place);
  }
  return { outcome: 'kept' };
}
