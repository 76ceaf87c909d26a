/**
 * How a gate that stands alone hears which events have tier 1 switched on: an instance says it, in the form that CDN
 * functions know as their file `vwr-active.json`. Uses nothing of Node's.
 */
import type { ActiveEvents } from './active-events.ts';

export const ACTIVE_EVENTS_PATH = '/vwr-active.json';
const LONGEST_WAIT_MS = 2_000;

export interface ActiveEventsAnswer {
  activeEvents: readonly string[] | 'all';
}

/** One question. While it gets no answer, the last one holds. */
export async function refreshActiveEvents(
  lineUrl: string,
  activeEvents: ActiveEvents,
  send: typeof fetch = fetch,
): Promise<void> {
  const response = await send(`${lineUrl}${ACTIVE_EVENTS_PATH}`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(LONGEST_WAIT_MS),
  });
  if (response.status !== 200) throw new Error(`${ACTIVE_EVENTS_PATH} was answered with ${response.status}`);
  const { activeEvents: events } = (await response.json()) as Partial<ActiveEventsAnswer>;
  if (events !== 'all' && !Array.isArray(events)) throw new Error(`${ACTIVE_EVENTS_PATH} has no list activeEvents`);
  activeEvents.set(events);
}
