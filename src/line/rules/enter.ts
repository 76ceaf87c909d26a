import { isPlaceNamed, type Line, type Place } from '../model/line.ts';
import { beginSession, findPlace, isWaiter, touch } from './sessions.ts';

export type EnterResult = { outcome: 'granted'; place: Place } | { outcome: 'not-ready'; place: Place | undefined };

/**
 * Claims an admission. Granted to every admitted visitor, even if the room has changed since: the admission was a
 * promise. A repeat is granted again. `placeId`, if given, limits the call to that place.
 */
export function enter(line: Line, visitor: string, now: number, placeId?: string): EnterResult {
  const place = findPlace(line, visitor, now);
  if (place === undefined) return { outcome: 'not-ready', place };
  if (placeId !== undefined && !isPlaceNamed(line, place, placeId)) return { outcome: 'not-ready', place: undefined };
  if (place.state === 'admitted') beginSession(line, place, now);
  else touch(line, place, now);
  return isWaiter(place) ? { outcome: 'not-ready', place } : { outcome: 'granted', place };
}
