/** What an operator does to a line as a whole. */
import type { Line } from '../line.ts';
import { type RoomOverrides, type RoomSettings, toSettings } from '../room-settings.ts';

/** New settings, effective with the next command. Nobody is put out: they concern what happens from now on. */
export function configure(line: Line, defaults: RoomSettings, overrides: RoomOverrides): void {
  const before = line.settings.seenTtlMs;
  line.overrides = overrides;
  line.settings = toSettings(defaults, overrides);
  if (line.settings.seenTtlMs < before) rescheduleSilences(line);
}

/** Empties the line and the room. Numbers go on from where they were, so that none is given twice. */
export function clear(line: Line): { waiting: number; inside: number } {
  const cleared = { waiting: line.waiting.size, inside: line.admitted.size + line.active.size };
  for (const place of line.places.values()) if (place.state === 'waiting') line.waiting.remove(place.number);
  line.places.clear();
  line.admitted.clear();
  line.active.clear();
  line.silences.clear();
  line.endings.clear();
  line.flow.enteredSeconds = 0;
  line.onChange({ kind: 'cleared', below: line.nextNumber });
  return cleared;
}

/** Deadlines are kept lazily and only move back; a shorter time needs them set anew. An operator's rare change. */
function rescheduleSilences(line: Line): void {
  line.silences.clear();
  for (const place of line.places.values()) {
    if (place.state === 'waiting') line.silences.push(place.seenAt + line.settings.seenTtlMs, place);
  }
}
