import type { Line, Place } from '../model/line.ts';
import { findPlace, touch } from './sessions.ts';

/** Returns the visitor's place and marks them as seen; undefined if they have none. */
export function look(line: Line, visitor: string, now: number): Place | undefined {
  const place = findPlace(line, visitor, now);
  if (place !== undefined) touch(line, place, now);
  return place;
}

/** Marks the visitor as seen without telling them anything: an admitted one stays as they are. */
export function sign(line: Line, visitor: string, now: number): Place | undefined {
  const place = findPlace(line, visitor, now);
  if (place !== undefined && place.state !== 'admitted') touch(line, place, now);
  return place;
}
