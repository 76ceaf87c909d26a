/** What an operator does to a line as a whole. */
import { createDraw, type DrawSecrets } from '../model/draw-state.ts';
import { countWaiting, type Line, orderOf } from '../model/line.ts';
import { type RoomOverrides, type RoomSettings, toSettings } from '../model/room-settings.ts';
import { isWaiter } from './sessions.ts';

/** New settings, effective with the next command. Nobody is put out: they concern what happens from now on. */
export function configure(line: Line, defaults: RoomSettings, overrides: RoomOverrides): void {
  const before = line.settings.seenTtlMs;
  line.overrides = overrides;
  line.settings = toSettings(defaults, overrides);
  if (line.settings.seenTtlMs < before) rescheduleSilences(line);
}

/** A room whose order is by lot has a draw from then on, and keeps it; one whose order is not has none. */
export function keepDraw(line: Line, createSecrets: () => DrawSecrets): void {
  const isDrawRoom = line.settings.order === 'draw';
  if (isDrawRoom === (line.draw !== undefined)) return;
  setDraw(line, isDrawRoom ? createSecrets() : undefined);
}

/**
 * Empties the line and the room. Numbers go on from where they were, so that none is given twice. A draw that has begun
 * is forgotten with its list, and another one announced: its seed is known.
 */
export function clear(line: Line, createSecrets: () => DrawSecrets): { waiting: number; inside: number } {
  const cleared = { waiting: countWaiting(line), inside: line.admitted.size + line.active.size };
  for (const place of line.places.values()) {
    if (place.state === 'waiting') orderOf(line, place.lane).remove(place.number);
    if (place.state === 'lobby') line.lobby.remove(place.number);
  }
  line.places.clear();
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

/** Deadlines are kept lazily and only move back; a shorter time needs them set anew. An operator's rare change. */
function rescheduleSilences(line: Line): void {
  line.silences.clear();
  for (const place of line.places.values()) {
    if (isWaiter(place)) line.silences.push(place.seenAt + line.settings.seenTtlMs, place);
  }
}
