/** Times of an event, in the time zone of its venue, and in the reader's where that differs. */

export interface EventTime {
  /** In the venue's time zone, with its name: "Saturday, April 17, 2027 at 7:00 PM GMT+9". */
  atVenue: string;
  /** In the reader's time zone, if the clock there shows another time; else undefined. */
  forReader: string | undefined;
}

export interface EventTimeOptions {
  timeZone: string;
  language: string;
  /** By default the zone of this browser or process. */
  readerZone?: string;
}

const FULL = { dateStyle: 'full', timeStyle: 'short' } as const;
const ZONE = { timeZoneName: 'short' } as const;

export function formatEventTime(iso: string, { timeZone, language, readerZone }: EventTimeOptions): EventTime {
  const at = new Date(iso);
  const own = readerZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const inZone = (zone: string) => at.toLocaleString(language, { ...FULL, timeZone: zone });
  const [atVenue, forReader] = [inZone(timeZone), inZone(own)];
  return {
    atVenue: `${atVenue} ${nameOfZone(at, timeZone, language)}`,
    forReader: forReader === atVenue ? undefined : `${forReader} ${nameOfZone(at, own, language)}`,
  };
}

function nameOfZone(at: Date, timeZone: string, language: string): string {
  const parts = new Intl.DateTimeFormat(language, { ...ZONE, timeZone }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}
