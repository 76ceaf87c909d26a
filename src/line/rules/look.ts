import type { Line, Place } from '../model/line.ts';
import { findPlace, touch } from './sessions.ts';

/** The visitor's place, noting that they are there; undefined if they have none. */
export function look(line: Line, visitor: string, now: number): Place | undefined {
  const place = findPlace(line, visitor, now);
  if (place !== undefined) touch(line, place, now);
  return place;
}
