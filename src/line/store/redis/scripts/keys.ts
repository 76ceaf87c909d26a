/**
 * The only place that builds Redis keys. All keys of one event carry the hash tag {eventId}, so they live in one slot
 * and one script may touch them all. What concerns several events lives elsewhere and is touched by no script of a line.
 */
export const ACTIVE_EVENTS_KEY = 'queue:active-events';
export const ROOMS_KEY = 'queue:rooms';

const LINE_KEYS = ['room', 'queue', 'active', 'admitted', 'places', 'seen', 'lobby', 'lobby-seen', 'priority'];

/** What every script of the line is given, in this order; includes/open-line.lua takes them apart again. */
export function lineKeys(eventId: string): string[] {
  return LINE_KEYS.map((name) => `{${eventId}}:${name}`);
}

/** Lots of those who take part in a draw, by arrival; gone when it is done. */
export const presentKey = (eventId: string): string => `{${eventId}}:present`;
/** Those lots in ascending order: the list of a draw that is done. */
export const entriesKey = (eventId: string): string => `{${eventId}}:entries`;
/** The operator's maxActive, mirrored for whoever reads the key layout from outside. */
export const thresholdKey = (eventId: string): string => `{${eventId}}:threshold`;
/** What the pace was measured by over the last 15 minutes. */
export const historyKey = (eventId: string): string => `{${eventId}}:history`;
/** Stream of admissions, each with visitor and number. */
export const entryKey = (eventId: string): string => `{${eventId}}:entry`;
/** Which numbers of tier 1 somebody has come with: a bit each. */
export const exchangedKey = (eventId: string): string => `{${eventId}}:exchanged`;
/** What the last tick measured, as JSON. */
export const pulseKey = (eventId: string): string => `{${eventId}}:pulse`;
export const admissionLockKey = (eventId: string): string => `admission:lock:{${eventId}}`;
/** Whether a keyed request to join this event was made already. */
export const dedupeKey = (eventId: string, requestId: string): string => `{${eventId}}:dedupe:${requestId}`;
/** What a visitor's key is used for, at whichever event. */
export const requestKey = (requestId: string): string => `queue:request:${requestId}`;
