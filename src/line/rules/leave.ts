import { type Line, type Place, tokenIdOf } from '../model/line.ts';
import { findPlace, remove } from './sessions.ts';

export type LeaveResult = { outcome: 'left'; from: Place['state'] } | { outcome: 'absent' };

/** From anywhere to absent. Flushable twice is the same as leaving once. `tokenId`, if given, names the one place meant. */
export function leave(line: Line, visitor: string, now: number, tokenId?: string): LeaveResult {
  const place = findPlace(line, visitor, now);
  if (place === undefined) return { outcome: 'absent' };
  // In the lobby of a draw nobody has a number yet, and so no token.
  const isMeant = tokenId === undefined || (place.state !== 'lobby' && tokenId === tokenIdOf(line, place));
  if (!isMeant) return { outcome: 'absent' };
  remove(line, place);
  return { outcome: 'left', from: place.state };
}
