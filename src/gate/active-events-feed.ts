/** Keeps a gate that stands alone up to date on which events have tier 1 switched on, by asking an instance. */
import type { ActiveEvents } from './active-events.ts';

export const ACTIVE_EVENTS_PATH = '/vwr-active.json';
const LONGEST_WAIT_MS = 2_000;

/** One question. While it gets no answer the last one holds. Uses nothing of Node's. */
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
  const { activeEvents: named } = (await response.json()) as { activeEvents?: unknown };
  if (!Array.isArray(named)) throw new Error(`${ACTIVE_EVENTS_PATH} has no list activeEvents`);
  activeEvents.set(named.map(String));
}
