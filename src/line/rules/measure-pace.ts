import { stepPace } from '../estimate/pace.ts';
import { countInLine, countInside, type Line } from '../model/line.ts';

export interface TickSummary {
  now: number;
  isOpen: boolean;
  /** Whether somebody waited and could be admitted. */
  isMoving: boolean;
  admitted: number;
}

/** Ticks come far more often unless the room was empty or admission was down. */
const LONGEST_GAP_MS = 60_000;

/** Records what happened since the last tick, and updates the pace. */
export function measurePace(line: Line, { now, isOpen, isMoving, admitted }: TickSummary): void {
  const { flow, history, settings, tickMs } = line;
  const inside = countInside(line);
  const waiting = countInLine(line);
  const insideSeconds = Math.max(0, inside * Math.floor(now / 1000) - flow.enteredSeconds);
  const passedMs = now - line.tickedAt;
  // Nothing is known about the time before the first tick, or without ticks.
  if (passedMs <= LONGEST_GAP_MS) {
    history.record(now, {
      admitted: isMoving ? admitted : 0,
      movingMs: isMoving ? passedMs : 0,
      freed: flow.freed,
      slotMs: inside * passedMs,
      agedMs: insideSeconds * passedMs,
      departed: flow.departed,
      waiterMs: waiting * passedMs,
    });
  }
  flow.freed = 0;
  flow.departed = 0;
  const windows = history.windows(now);
  line.pace = stepPace(line.pace, { now, waiting, inside, insideSeconds, settings, tickMs, isOpen, windows });
}
