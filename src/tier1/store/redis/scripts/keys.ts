/** The only place that builds Redis keys of tier 1. Those of one event carry its hash tag and live in one slot. */
export const ACTIVE_NUMBERINGS_KEY = 'vwr:active-events';

/** What every script of a numbering is given, in this order: includes/open-counters.lua says what they hold. */
export function numberingKeys(eventId: string): [counters: string, positions: string] {
  return [countersKey(eventId), `vwr:{${eventId}}:positions`];
}

export const countersKey = (eventId: string): string => `vwr:{${eventId}}:counters`;
