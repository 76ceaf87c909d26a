/** Times of an event, in the time zone of its venue, and in the reader's where that differs. */

export interface EventTime {
  /** In the venue's time zone, with its name: "Saturday, April 17, 2027 at 7:00 PM (Korean Standard Time)". */
  atVenue: string;
  /** In the reader's time zone, with its name, if the clock there shows another time; else undefined. */
  forReader: string | undefined;
}

/** `full`: with the day of the week and the long name of the zone; `medium`: short enough for a card. */
export type EventTimeStyle = 'full' | 'medium';

export interface EventTimeOptions {
  timeZone: string;
  language: string;
  style?: EventTimeStyle;
  /** By default the zone of this browser or process. */
  readerZone?: string;
}

const ZONE_NAMES = { full: 'long', medium: 'short' } as const;

export function formatEventTime(iso: string, options: EventTimeOptions): EventTime {
  const { timeZone, language, style = 'full', readerZone } = options;
  const at = new Date(iso);
  const own = readerZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const clock = (zone: string) =>
    inKorean(at.toLocaleString(language, { dateStyle: style, timeStyle: 'short', timeZone: zone }), language);
  const named = (zone: string) => `${clock(zone)} (${nameOfZone(at, zone, language, style)})`;
  const venue = knownZone(timeZone);
  return { atVenue: named(venue), forReader: clock(own) === clock(venue) ? undefined : named(own) };
}

function nameOfZone(at: Date, timeZone: string, language: string, style: EventTimeStyle): string {
  const format = new Intl.DateTimeFormat(language, { timeZoneName: ZONE_NAMES[style], timeZone });
  return format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

/** Newer locale data writes AM and PM in Korean texts; ticket sites write 오전 and 오후. */
export function inKorean(time: string, language: string): string {
  return language === 'ko' ? time.replace('AM', '오전').replace('PM', '오후') : time;
}

/** An old browser may lack a zone that the server knows. The time is then shown in UTC, and says so. */
function knownZone(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}
