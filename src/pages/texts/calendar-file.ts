/** A calendar file (iCalendar, RFC 5545) for one event, in the time zone of its venue. */
export interface CalendarEvent {
  uid: string;
  title: string;
  venue: string;
  startsAt: string;
  /** IANA name. */
  timeZone: string;
  /** The page of the ticket. */
  url: string;
  now: Date;
}

const LINE_BYTES = 75;

export function toCalendarFile({ uid, title, venue, startsAt, timeZone, url, now }: CalendarEvent): string {
  const start = new Date(startsAt);
  const offset = offsetOf(start, timeZone);
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Fairline//Tickets//EN',
    'BEGIN:VTIMEZONE',
    `TZID:${timeZone}`,
    // The offset at the time of the event is all that one event needs.
    'BEGIN:STANDARD',
    'DTSTART:19700101T000000',
    `TZOFFSETFROM:${offset}`,
    `TZOFFSETTO:${offset}`,
    'END:STANDARD',
    'END:VTIMEZONE',
    'BEGIN:VEVENT',
    `UID:${uid}@fairline`,
    `DTSTAMP:${now.toISOString().replace(/[-:]|\.\d+/g, '')}`,
    `DTSTART;TZID=${timeZone}:${localTime(start, timeZone)}`,
    `SUMMARY:${escapeText(title)}`,
    `LOCATION:${escapeText(venue)}`,
    `URL:${url}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return `${lines.map(fold).join('\r\n')}\r\n`;
}

/** The clock at the venue: 20270417T190000. */
function localTime(at: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(at);
  const part = (name: string) => parts.find(({ type }) => type === name)!.value;
  return `${part('year')}${part('month')}${part('day')}T${part('hour')}${part('minute')}${part('second')}`;
}

/** From UTC: +0900. */
function offsetOf(at: Date, timeZone: string): string {
  const [, year, month, day, hour, minute] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)/.exec(localTime(at, timeZone))!;
  const local = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
  const minutes = Math.round((local - Math.floor(at.getTime() / 60_000) * 60_000) / 60_000);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}${two(Math.abs(minutes) % 60)}`;
}

function escapeText(text: string): string {
  return text.replace(/[\\;,]/g, (sign) => `\\${sign}`).replace(/\r?\n/g, '\\n');
}

/** Lines have at most 75 bytes; a fold must not cut a character. */
function fold(line: string): string {
  const encoder = new TextEncoder();
  let folded = '';
  let bytes = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (bytes + size > LINE_BYTES) {
      folded += '\r\n ';
      bytes = 1;
    }
    folded += character;
    bytes += size;
  }
  return folded;
}
