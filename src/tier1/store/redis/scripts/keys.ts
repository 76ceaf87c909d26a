/** The only place that builds Redis keys of tier 1. Keys of one event share its hash tag, and so a cluster slot. */
export const ACTIVE_EVENTS_KEY = 'vwr:active-events';

/** KEYS of every script of tier 1, in this order; documented in includes/read-counters.lua. */
export function tier1Keys(eventId: string): [counters: string, positions: string] {
  return [countersKey(eventId), `vwr:{${eventId}}:positions`];
}

export const countersKey = (eventId: string): string => `vwr:{${eventId}}:counters`;
