/** Scheduled changes of a room: their order, which is due, and how it applies. */
import type { Line } from '../model/line.ts';
import type { Revision, RoomChange, RoomOverrides, SettingProblem } from '../model/room-settings.ts';
import { MOST_SCHEDULED, type ScheduledChange } from '../model/scheduled-change.ts';

type Scheduled = readonly ScheduledChange[];

/** By time; those of the same moment in the order in which they were scheduled. undefined: the list is full. */
export function addScheduled(list: Scheduled, change: ScheduledChange): ScheduledChange[] | undefined {
  if (list.length >= MOST_SCHEDULED) return undefined;
  return [...list, change].sort((a, b) => a.at - b.at);
}

export function removeScheduled(list: Scheduled, id: string): ScheduledChange[] {
  return list.filter((one) => one.id !== id);
}

/** The change to apply next; undefined if none is due. */
export function findDue(list: Scheduled, now: number): ScheduledChange | undefined {
  return list.find(({ at }) => at <= now);
}

/** `revision`: what the change would do to the room now. */
export function schedule(line: Line, change: ScheduledChange, revision: Revision) {
  if (!revision.ok) return { outcome: 'invalid', problems: revision.problems } as const;
  const list = addScheduled(line.scheduled, change);
  if (list === undefined) return { outcome: 'full' } as const;
  setScheduled(line, list);
  return { outcome: 'scheduled' } as const;
}

export function cancelScheduled(line: Line, id: string): { found: ScheduledChange | undefined } {
  const found = line.scheduled.find((one) => one.id === id);
  if (found !== undefined) setScheduled(line, removeScheduled(line.scheduled, id));
  return { found };
}

export type Applying =
  | { outcome: 'nothing' }
  | { outcome: 'applied'; scheduled: ScheduledChange; before: RoomOverrides }
  | { outcome: 'invalid'; scheduled: ScheduledChange; problems: SettingProblem[] };

/** Removes the next change that is due, and applies it if the room still accepts it. */
export function applyDue(
  line: Line,
  now: number,
  revise: (line: Line, change: RoomChange) => Revision,
  configure: (overrides: RoomOverrides) => void,
): Applying {
  const scheduled = findDue(line.scheduled, now);
  if (scheduled === undefined) return { outcome: 'nothing' };
  const before = line.overrides;
  const revision = revise(line, scheduled.change);
  setScheduled(line, removeScheduled(line.scheduled, scheduled.id));
  if (!revision.ok) return { outcome: 'invalid', scheduled, problems: revision.problems };
  configure(revision.overrides);
  return { outcome: 'applied', scheduled, before };
}

function setScheduled(line: Line, list: Scheduled): void {
  line.scheduled = list;
  line.onChange({ kind: 'scheduled', scheduled: list });
}
