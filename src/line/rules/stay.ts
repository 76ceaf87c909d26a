import { type Line, type Place, tokenIdOf } from '../model/line.ts';
import { findPlace, touch } from './sessions.ts';

/**
 * Like `look`, but never activates an admitted visitor: learning that you may enter is not entering. `tokenId`, if given,
 * limits the sign of life to that place.
 */
export function stay(line: Line, visitor: string, now: number, tokenId?: string): Place | undefined {
  const place = findPlace(line, visitor, now);
  if (place === undefined || place.state === 'admitted') return place;
  // In the lobby nobody has a number yet, and so no token.
  const isMeant = tokenId === undefined || (place.state !== 'lobby' && tokenId === tokenIdOf(line, place));
  if (isMeant) touch(line, place, now);
  return place;
}
