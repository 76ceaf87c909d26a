import type { Line } from '../model/line.ts';
import { endDue, isSilent, isWaiter, lapse, silenceEnd, silenceTime } from './sessions.ts';

/** Places per sweep (invariant 9); the sweeper repeats until nothing is left. */
export const SWEEP_LIMIT = 1_000;

/** Removes waiting visitors not seen for seenTtlMs, and ends expired claims and sessions. True if there is more. */
export function sweep(line: Line, now: number): boolean {
  const more = endDue(line, now, SWEEP_LIMIT);
  for (let looked = 0; ; looked += 1) {
    if (looked === SWEEP_LIMIT) return true;
    const place = line.silences.popDue(silenceTime(line, now));
    if (place === undefined) break;
    if (!isWaiter(place) || line.places.get(place.visitor) !== place) continue;
    if (isSilent(line, place, now)) lapse(line, place);
    else line.silences.push(silenceEnd(line, place), place);
  }
  return more;
}
