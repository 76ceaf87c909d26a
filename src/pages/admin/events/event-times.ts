/** Times of an event as operators read them: in the time zone of the venue, named. */
import { formatEventTime } from '../../texts/event-time.ts';
import type { ShopEvent } from '../api/wire.ts';
import type { Desk } from '../controls/desk.ts';

export function showAtVenue(
  iso: string,
  { timeZone }: Pick<ShopEvent, 'timeZone'>,
  { language }: Pick<Desk, 'language'>,
): string {
  return formatEventTime(iso, { timeZone, language }).atVenue;
}
