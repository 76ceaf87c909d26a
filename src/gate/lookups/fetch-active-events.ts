/**
 * How a gate that stands alone hears which events have tier 1 switched on: an instance says it, in the form that CDN
 * functions know as their file `vwr-active.json`. Uses nothing of Node's.
 */
import type { EventList } from './active-events.ts';

export const ACTIVE_EVENTS_PATH = '/vwr-active.json';
const LONGEST_WAIT_MS = 2_000;

export async function fetchActiveEvents(lineUrl: string, send: typeof fetch = fetch): Promise<EventList> {
  const response = await send(`${lineUrl}${ACTIVE_EVENTS_PATH}`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(LONGEST_WAIT_MS),
  });
  if (response.status !== 200) throw new Error(`${ACTIVE_EVENTS_PATH} was answered with ${response.status}`);
  const { activeEvents } = (await response.json()) as { activeEvents?: unknown };
  if (activeEvents !== 'all' && !Array.isArray(activeEvents)) {
    throw new Error(`${ACTIVE_EVENTS_PATH} has no list activeEvents`);
  }
  return activeEvents === 'all' ? activeEvents : activeEvents.map(String);
}
