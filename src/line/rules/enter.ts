import { type Line, type Place, tokenIdOf } from '../line.ts';
import { beginSession, findPlace, touch } from './sessions.ts';

export type EnterResult = { outcome: 'granted'; place: Place } | { outcome: 'not-ready'; place: Place | undefined };

/**
 * The visitor asks to be inside. Granted to whoever is admitted, whatever has become of the room since: that was a
 * promise. Granted again to whoever is inside already. `tokenId`, if given, names the one place that is meant.
 */
export function enter(line: Line, visitor: string, now: number, tokenId?: string): EnterResult {
  const place = findPlace(line, visitor, now);
  if (place === undefined) return { outcome: 'not-ready', place };
  if (tokenId !== undefined && tokenId !== tokenIdOf(line, place)) return { outcome: 'not-ready', place: undefined };
  if (place.state === 'admitted') beginSession(line, place, now);
  else touch(line, place, now);
  return place.state === 'waiting' ? { outcome: 'not-ready', place } : { outcome: 'granted', place };
}
