/**
 * Fetches the events with tier 1 switched on from an instance, for a gate that runs in its own process. The response has
 * the format of `vwr-active.json`, which CDN functions read. Uses no Node APIs.
 */
import type { EventList } from './active-events.ts';

export const ACTIVE_EVENTS_PATH = '/vwr-active.json';
const LONGEST_WAIT_MS = 2_000;

export async function fetchActiveEvents(lineUrl: string, send: typeof fetch = fetch): Promise<EventList> {
  const response = await send(`${lineUrl}${ACTIVE_EVENTS_PATH}`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(LONGEST_WAIT_MS),
  });
  if (response.status !== 200) throw new Error(`${ACTIVE_EVENTS_PATH} returned status ${response.status}`);
  const { activeEvents } = (await response.json()) as { activeEvents?: unknown };
  if (activeEvents !== 'all' && !Array.isArray(activeEvents)) {
    throw new Error(`${ACTIVE_EVENTS_PATH} has no activeEvents list`);
  }
  return activeEvents === 'all' ? activeEvents : activeEvents.map(String);
}
