import { isPlaceNamed, type Line, type Place } from '../model/line.ts';
import { findPlace, remove } from './sessions.ts';

export type LeaveResult = { outcome: 'left'; from: Place['state'] } | { outcome: 'absent' };

/** Removes the visitor's place from any state. Idempotent. `placeId`, if given, limits the call to that place. */
export function leave(line: Line, visitor: string, now: number, placeId?: string): LeaveResult {
  const place = findPlace(line, visitor, now);
  if (place === undefined) return { outcome: 'absent' };
  const isMeant = placeId === undefined || isPlaceNamed(line, place, placeId);
  if (!isMeant) return { outcome: 'absent' };
  remove(line, place);
  return { outcome: 'left', from: place.state };
}
