import type { Line, Place } from '../line.ts';
import { findPlace, remove } from './sessions.ts';

export type LeaveResult = { outcome: 'left'; from: Place['state'] } | { outcome: 'absent' };

/** From anywhere to absent. Leaving twice is the same as leaving once. */
export function leave(line: Line, visitor: string, now: number): LeaveResult {
  const place = findPlace(line, visitor, now);
  if (place === undefined) return { outcome: 'absent' };
  remove(line, place);
  return { outcome: 'left', from: place.state };
}
