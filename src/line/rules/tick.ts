import { countInLine, type Line, type Place } from '../model/line.ts';
import { phaseAt } from '../model/room-settings.ts';
import { admitFromHead } from './admit-from-head.ts';
import { noteTickGap } from './away.ts';
import { beginDrawIfDue, holdsAdmission } from './draw.ts';
import { followHealth } from './follow-health.ts';
import { measurePace } from './measure-pace.ts';
import { endDue, noteStandstill } from './sessions.ts';

export interface TickResult {
  admitted: Place[];
  /** True if the tick stopped at its bound with more to do: tick again at once. */
  more: boolean;
}

/** Places per tick (invariant 9): a tick must not block other requests. */
export const TICK_LIMIT = 10_000;

/** Ends what has expired, then admits as many as free slots, rate and batch allow (invariants 1, 2, 4, 5). */
export function tick(line: Line, now: number): TickResult {
  noteStandstill(line, now);
  noteTickGap(line, now);
  const moreToEnd = endDue(line, now, TICK_LIMIT);
  beginDrawIfDue(line, now);
  followHealth(line, now);
  const isOpen = phaseAt(line.settings, now) === 'open' && !holdsAdmission(line);
  const isMoving = isOpen && countInLine(line) > 0;
  const admission = isOpen ? admitFromHead(line, now, TICK_LIMIT) : { admitted: [], more: false };
  measurePace(line, { now, isOpen, isMoving, admitted: admission.admitted.length });
  line.tickedAt = now;
  return { admitted: admission.admitted, more: moreToEnd || admission.more };
}
