/** What operators set, and since when it was certain. A change whose response was lost may or may not have happened. Pure. */
import type { Operated } from '../history.ts';
import type { View } from './view.ts';

/** A request without a response may still be executed, by a process that was suspended. */
const LATE_EFFECT_MS = 30_000;

export interface Pause {
  eventId: string;
  from: number;
  to: number;
  operated: Operated;
}

/** Times in which the room was certainly paused. */
export function pausesOf(view: View): Pause[] {
  const pauses: Pause[] = [];
  const open = new Map<string, Operated>();
  for (const operated of view.operated) {
    const state = operated.settings?.state;
    if (operated.action !== 'room' || state === undefined) continue;
    const pause = open.get(operated.eventId);
    if (state === 'paused' && operated.status === 200) {
      if (pause === undefined) open.set(operated.eventId, operated);
    } else if (state !== 'paused' && pause !== undefined) {
      pauses.push({ eventId: operated.eventId, from: pause.until, to: operated.at, operated: pause });
      open.delete(operated.eventId);
    }
  }
  for (const [eventId, operated] of open)
    pauses.push({ eventId, from: operated.until, to: Number.POSITIVE_INFINITY, operated });
  return pauses.filter(({ eventId, from }) => !hasUncertainState(view, eventId, from));
}

function hasUncertainState(view: View, eventId: string, at: number): boolean {
  return view.operated.some(
    (operated) =>
      operated.eventId === eventId &&
      operated.settings?.state !== undefined &&
      operated.status !== 200 &&
      operated.status !== 201 &&
      operated.at <= at &&
      operated.at + LATE_EFFECT_MS >= at,
  );
}

export interface LimitChange {
  at: number;
  until: number;
  limit: number;
  isCertain: boolean;
}

export function limitChangesOf(view: View, eventId: string): LimitChange[] {
  return view.operated
    .filter((operated) => operated.eventId === eventId && operated.settings?.maxActive !== undefined)
    .map(({ at, until, settings, status }) => ({
      at,
      until,
      limit: Number(settings!.maxActive),
      isCertain: status === 200 || status === 201,
    }));
}

/** The limits that may have been in force at some moment from `from` to `to`. */
export function possibleLimits(changes: readonly LimitChange[], from: number, to: number): number[] {
  const lastCertain = changes.filter(({ isCertain, until }) => isCertain && until < from).at(-1);
  const later = changes.filter(
    ({ at, isCertain }) =>
      at <= to && (lastCertain === undefined || at >= lastCertain.at || (!isCertain && at + LATE_EFFECT_MS >= from)),
  );
  return [...(lastCertain === undefined ? [] : [lastCertain.limit]), ...later.map(({ limit }) => limit)];
}

/** Whether the room certainly admitted at this time: open, past its opening, not closed. */
export function isOpenAt(view: View, eventId: string, at: number): boolean {
  let state = 'open';
  let opensAt = 0;
  for (const operated of view.operated) {
    if (operated.at > at) break;
    if (operated.eventId !== eventId || operated.action !== 'room') continue;
    const { settings } = operated;
    if (settings?.state !== undefined) state = String(settings.state);
    if (typeof settings?.opensAt === 'string') opensAt = Date.parse(settings.opensAt);
  }
  return state === 'open' && opensAt < at && !hasUncertainState(view, eventId, at);
}
