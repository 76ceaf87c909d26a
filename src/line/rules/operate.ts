/** Operator actions on a whole line. */
import { createDraw, type DrawSecrets } from '../model/draw-state.ts';
import { countWaiting, type Line, orderOf } from '../model/line.ts';
import { type RoomOverrides, type RoomSettings, toSettings } from '../model/room-settings.ts';
import { isWaiter, silenceEnd } from './sessions.ts';

/** Applies new settings from the next command on. They evict nobody (invariant 1). */
export function configure(line: Line, defaults: RoomSettings, overrides: RoomOverrides): void {
  const { seenTtlMs, disconnectGraceMs } = line.settings;
  line.overrides = overrides;
  line.settings = toSettings(defaults, overrides);
  const isShorter = line.settings.seenTtlMs < seenTtlMs || line.settings.disconnectGraceMs < disconnectGraceMs;
  if (isShorter) rescheduleSilences(line);
}

/** Creates the draw of a room when its order becomes `draw`, and removes it when it is no longer. */
export function keepDraw(line: Line, createSecrets: () => DrawSecrets): void {
  const isDrawRoom = line.settings.order === 'draw';
  if (isDrawRoom === (line.draw !== undefined)) return;
  setDraw(line, isDrawRoom ? createSecrets() : undefined);
}

/**
 * Removes everyone from the line and from inside. Numbers continue, so none is assigned twice (invariant 3). A draw that
 * has begun is dropped with its list and a new one announced, because its seed may be known.
 */
export function clear(line: Line, createSecrets: () => DrawSecrets): { waiting: number; inside: number } {
  const cleared = { waiting: countWaiting(line), inside: line.admitted.size + line.active.size };
  for (const place of line.places.values()) {
    if (place.state === 'waiting' && !place.isAway) orderOf(line, place.lane).remove(place.number);
    if (place.state === 'lobby') line.lobby.remove(place.number);
  }
  line.places.clear();
  line.away.clear();
  line.admitted.clear();
  line.active.clear();
  line.silences.clear();
  line.endings.clear();
  line.flow.enteredSeconds = 0;
  line.onChange({ kind: 'cleared', below: line.nextNumber, arrivedBelow: line.nextArrival });
  if (line.draw !== undefined && line.draw.phase !== 'announced') setDraw(line, createSecrets());
  return cleared;
}

function setDraw(line: Line, secrets: DrawSecrets | undefined): void {
  line.draw = secrets && createDraw(secrets);
  line.nextArrival = 1;
  line.onChange({ kind: 'draw', draw: line.draw });
}

/** Deadlines are lazy and can only move back, so a shorter time needs a rebuild. Operators rarely change it. */
function rescheduleSilences(line: Line): void {
  line.silences.clear();
  for (const place of line.places.values()) {
    if (isWaiter(place)) line.silences.push(silenceEnd(line, place), place);
  }
}
