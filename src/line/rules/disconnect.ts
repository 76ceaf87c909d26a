import type { Line, Place } from '../line.ts';
import { findPlace, remove } from './sessions.ts';

export type DisconnectResult = { outcome: 'left'; from: Place['state'] } | { outcome: 'kept' } | { outcome: 'absent' };

/**
 * The visitor's last live connection closed, which is not leaving. A waiter keeps the place for disconnectGraceMs; who
 * is inside stays inside, unless the room lets go of them at once.
 */
export function disconnect(line: Line, visitor: string, now: number): DisconnectResult {
  const place = findPlace(line, visitor, now);
  if (place === undefined) return { outcome: 'absent' };
  const { disconnectGraceMs, seenTtlMs } = line.settings;
  const isWaiting = place.state === 'waiting';
  if (isWaiting ? disconnectGraceMs === 0 : isLetGo(line, place)) {
    remove(line, place);
    return { outcome: 'left', from: place.state };
  }
  // Last seen is dated back, so that the one rule for silent waiters finds them when the grace is over.
  if (isWaiting) {
    place.seenAt = Math.min(now, now - seenTtlMs + disconnectGraceMs);
    line.silences.push(place.seenAt + seenTtlMs, place);
  }
  return { outcome: 'kept' };
}

/** Who is ready in a claim room is not inside yet, and was promised a time within which to enter. */
function isLetGo({ settings }: Line, { state }: Place): boolean {
  return settings.releaseOnDisconnect && (state === 'active' || settings.admission === 'auto');
}
