import type { Line, Place } from '../line.ts';
import { phaseAt } from '../room-settings.ts';
import { allowance, take } from './bucket.ts';
import { beginDrawIfDue, holdsAdmission } from './draw.ts';
import { countFree, isTooEarly } from './free-slots.ts';
import { measurePace } from './measure-pace.ts';
import { admit, endDue, isSilent, lapse } from './sessions.ts';
import { noteStandstill } from './standstill.ts';

export interface TickResult {
  admitted: Place[];
  /** True if the tick stopped at its bound while there was more to do: tick again without waiting. */
  more: boolean;
}

/** Places one tick touches at most, so that no tick holds up everybody else. */
export const TICK_LIMIT = 10_000;

/** Frees what is over, then lets in from the head as many as room, rate and batch allow (invariants 1, 2, 4, 5). */
export function tick(line: Line, now: number): TickResult {
  noteStandstill(line, now);
  const moreToEnd = endDue(line, now, TICK_LIMIT);
  beginDrawIfDue(line, now);
  const isOpen = phaseAt(line.settings, now) === 'open' && !holdsAdmission(line);
  const isMoving = isOpen && line.waiting.size > 0;
  const admission = isOpen ? admitFromHead(line, now) : { admitted: [], more: false };
  measurePace(line, { now, isOpen, isMoving, admitted: admission.admitted.length });
  line.tickedAt = now;
  return { admitted: admission.admitted, more: moreToEnd || admission.more };
}

function admitFromHead(line: Line, now: number): TickResult {
  const free = Math.min(countFree(line), allowance(line, now));
  const admitted: Place[] = [];
  let looked = 0;
  while (admitted.length < free && looked < TICK_LIMIT) {
    const head = line.waiting.head();
    if (head === undefined) break;
    if (isSilent(line, head, now)) {
      looked += 1;
      lapse(line, head);
      continue;
    }
    if (isTooEarly(line, head.joinedAt, now)) break;
    looked += 1;
    admit(line, head, now);
    admitted.push(head);
  }
  take(line, admitted.length);
  return { admitted, more: looked === TICK_LIMIT && admitted.length < free };
}
