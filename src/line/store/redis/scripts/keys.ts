/**
 * The only file that builds Redis keys. All keys of one event have the hash tag {eventId}, so they are in one slot and one
 * script may use them all. Data of several events is in other slots; no script of a line uses it.
 */
export const ACTIVE_EVENTS_KEY = 'queue:active-events';
export const ROOMS_KEY = 'queue:rooms';
export const ROOM_CHANGES_KEY = 'queue:room-changes';

const LINE_KEYS = ['room', 'queue', 'active', 'admitted', 'places', 'seen', 'lobby', 'lobby-seen', 'priority', 'away'];

/** The first keys of every script of a line, in this order: see includes/line.lua. */
export function lineKeys(eventId: string): string[] {
  return LINE_KEYS.map((name) => `{${eventId}}:${name}`);
}

/** Lots of those who take part in a draw, by arrival; gone when it is done. */
export const presentKey = (eventId: string): string => `{${eventId}}:present`;
/** Those lots in ascending order: the list of a draw that is done. */
export const entriesKey = (eventId: string): string => `{${eventId}}:entries`;
/** How many lots of a draw came from each hashed address, and when. */
export const lotSourcesKey = (eventId: string): string => `{${eventId}}:lot-sources`;
export const lotSourceTimesKey = (eventId: string): string => `{${eventId}}:lot-source-times`;
/** A copy of the operator's maxActive, for external readers of the key layout. */
export const thresholdKey = (eventId: string): string => `{${eventId}}:threshold`;
/** What happened in the last 15 minutes, for the pace. */
export const historyKey = (eventId: string): string => `{${eventId}}:history`;
/** Stream of admissions: visitor and number. */
export const entryKey = (eventId: string): string => `{${eventId}}:entry`;
/** One bit per number of tier 1 that was used. */
export const exchangedKey = (eventId: string): string => `{${eventId}}:exchanged`;
/** The pulse of the last tick, as JSON. */
export const pulseKey = (eventId: string): string => `{${eventId}}:pulse`;
export const admissionLockKey = (eventId: string): string => `admission:lock:{${eventId}}`;
/** Which places a call made, in case its reply is lost. */
export const attemptKey = (eventId: string, attempt: string): string => `{${eventId}}:attempt:${attempt}`;
/** Whether a keyed request has joined this event. */
export const dedupeKey = (eventId: string, requestId: string): string => `{${eventId}}:dedupe:${requestId}`;
/** The owner of a visitor's request key, over all events. */
export const requestKey = (requestId: string): string => `queue:request:${requestId}`;
