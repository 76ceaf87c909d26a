import { type Line, type Place, tokenIdOf } from '../model/line.ts';
import { findPlace, tell, touch } from './sessions.ts';

/**
 * Like `look`, but never activates an admitted visitor: learning that you may enter is not entering. `tokenId`, if given,
 * limits the sign of life to that place. It comes from a gate that keeps a session: it tells the visitor nothing.
 */
export function stay(line: Line, visitor: string, now: number, tokenId?: string): Place | undefined {
  const place = findPlace(line, visitor, now);
  if (place === undefined) return undefined;
  if (place.state === 'admitted') {
    if (tokenId === undefined) tell(line, place, now);
    return place;
  }
  // In the lobby nobody has a number yet, and so no token.
  const isMeant = tokenId === undefined || (place.state !== 'lobby' && tokenId === tokenIdOf(line, place));
  if (isMeant) touch(line, place, now);
  return place;
}
