/** A time of an event: in the zone of its venue, named, and below it in the reader's own zone if that differs. */
import { type EventTimeStyle, formatEventTime } from '../../texts/event-time.ts';
import type { EventAnswer } from './wire.ts';
import { fill, language, texts } from './words.ts';

export interface EventTimeProps {
  /** The time, in ISO 8601. */
  iso: string;
  event: Pick<EventAnswer, 'timeZone'>;
  style?: EventTimeStyle;
}

export function EventTime({ iso, event: { timeZone }, style = 'full' }: EventTimeProps) {
  const { atVenue, forReader } = formatEventTime(iso, { timeZone, language, style });
  return (
    <span class="event-time">
      <time dateTime={iso}>{atVenue}</time>
      {forReader !== undefined && <span class="reader-time">{fill(texts.yourTime, { time: forReader })}</span>}
    </span>
  );
}

/** The same as plain text, for places that take no markup: a title, a calendar file, a shared message. */
export function eventTimeText(iso: string, { timeZone }: Pick<EventAnswer, 'timeZone'>): string {
  const { atVenue, forReader } = formatEventTime(iso, { timeZone, language });
  return forReader === undefined ? atVenue : `${atVenue}, ${fill(texts.yourTime, { time: forReader })}`;
}
