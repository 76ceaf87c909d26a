import type { Line, Place } from '../model/line.ts';
import { findPlace, touch } from './sessions.ts';

/** Like `look`, but never activates an admitted visitor: learning that you may enter is not entering. */
export function stay(line: Line, visitor: string, now: number): Place | undefined {
  const place = findPlace(line, visitor, now);
  if (place !== undefined && place.state !== 'admitted') touch(line, place, now);
  return place;
}
