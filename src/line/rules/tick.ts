import { countInside, type Line, type Place } from '../line.ts';
import { phaseAt } from '../room-settings.ts';
import { allowance, take } from './bucket.ts';
import { beginDrawIfDue, holdsAdmission } from './draw.ts';
import { admit, endDue, isSilent, lapse } from './sessions.ts';

export interface TickResult {
  admitted: Place[];
  /** True if the tick stopped at its bound while there was more to do: tick again without waiting. */
  more: boolean;
}

/** Places one tick touches at most, so that no tick holds up everybody else. */
export const TICK_LIMIT = 10_000;

/** Frees what is over, then lets in from the head as many as room, rate and batch allow (invariants 1, 2, 4, 5). */
export function tick(line: Line, now: number): TickResult {
  const moreToEnd = endDue(line, now, TICK_LIMIT);
  beginDrawIfDue(line, now);
  const isOpen = phaseAt(line.settings, now) === 'open' && !holdsAdmission(line);
  const admission = isOpen ? admitFromHead(line, now) : { admitted: [], more: false };
  line.tickedAt = now;
  return { admitted: admission.admitted, more: moreToEnd || admission.more };
}

function admitFromHead(line: Line, now: number): TickResult {
  const somebodyWaited = line.waiting.size > 0;
  const free = Math.min(line.settings.maxActive - countInside(line), allowance(line, now));
  const admitted: Place[] = [];
  let looked = 0;
  while (admitted.length < free && looked < TICK_LIMIT) {
    const head = line.waiting.head();
    if (head === undefined) break;
    looked += 1;
    if (isSilent(line, head, now)) {
      lapse(line, head);
      continue;
    }
    admit(line, head, now);
    admitted.push(head);
  }
  take(line, admitted.length);
  if (somebodyWaited && line.tickedAt > 0) line.history.record(now, admitted.length, now - line.tickedAt);
  return { admitted, more: looked === TICK_LIMIT && admitted.length < free };
}
