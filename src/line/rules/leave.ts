import { type Line, type Place, tokenIdOf } from '../model/line.ts';
import { findPlace, remove } from './sessions.ts';

export type LeaveResult = { outcome: 'left'; from: Place['state'] } | { outcome: 'absent' };

/** Removes the visitor's place from any state. Idempotent. `tokenId`, if given, limits the call to that place. */
export function leave(line: Line, visitor: string, now: number, tokenId?: string): LeaveResult {
  const place = findPlace(line, visitor, now);
  if (place === undefined) return { outcome: 'absent' };
  // In the lobby nobody has a number yet, and so no token.
  const isMeant = tokenId === undefined || (place.state !== 'lobby' && tokenId === tokenIdOf(line, place));
  if (!isMeant) return { outcome: 'absent' };
  remove(line, place);
  return { outcome: 'left', from: place.state };
}
