import type { Line, Place } from '../model/line.ts';
import { findPlace, touch } from './sessions.ts';

/** Returns the visitor's place and marks them as seen; undefined if they have none. */
export function look(line: Line, visitor: string, now: number): Place | undefined {
  const place = findPlace(line, visitor, now);
  if (place !== undefined) touch(line, place, now);
  return place;
}
