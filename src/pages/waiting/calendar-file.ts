/** A calendar file (RFC 5545) for the opening of a sale, as a data URL: it works in a plain link, without JavaScript. */

export interface Appointment {
  title: string;
  /** ISO 8601. */
  at: string;
  /** The waiting page. */
  url: string;
  uid: string;
}

const MINUTES = 15;
const REMIND_MINUTES = 10;

export function toCalendarUrl({ title, at, url, uid }: Appointment): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Fairline//EN',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTAMP:${toStamp(at)}`,
    `DTSTART:${toStamp(at)}`,
    `DURATION:PT${MINUTES}M`,
    `SUMMARY:${escapeText(title)}`,
    `URL:${url}`,
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escapeText(title)}`,
    `TRIGGER:-PT${REMIND_MINUTES}M`,
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return `data:text/calendar;charset=utf-8,${encodeURIComponent(`${lines.join('\r\n')}\r\n`)}`;
}

function toStamp(iso: string): string {
  return new Date(iso).toISOString().replace(/[-:]|\.\d+/g, '');
}

function escapeText(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replace(/\s+/g, ' ');
}
