import type { Line, Place } from '../model/line.ts';
import { findPlace, touch } from './sessions.ts';

/** As look, but leaves who is admitted as they are, in every room: to be told that one may enter is not to enter. */
export function stay(line: Line, visitor: string, now: number): Place | undefined {
  const place = findPlace(line, visitor, now);
  if (place !== undefined && place.state !== 'admitted') touch(line, place, now);
  return place;
}
