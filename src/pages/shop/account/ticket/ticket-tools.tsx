/** What can be done with any ticket: add it to a calendar, print it. */
import { toCalendarFile } from '../../../texts/calendar-file.ts';
import type { TicketAnswer } from '../../shared/wire.ts';
import { texts } from '../../shared/words.ts';

export interface TicketToolsProps {
  event: TicketAnswer['event'];
  uid: string;
}

export function TicketTools({ event, uid }: TicketToolsProps) {
  const save = () => {
    const url = `${location.origin}/events/${event.eventId}`;
    const file = toCalendarFile({ ...event, uid, url, now: new Date() });
    const href = URL.createObjectURL(new Blob([file], { type: 'text/calendar' }));
    const link = Object.assign(document.createElement('a'), { href, download: `${event.eventId}.ics` });
    link.click();
    URL.revokeObjectURL(href);
  };
  return (
    <div class="actions tools">
      <button type="button" onClick={save}>
        {texts.addToCalendar}
      </button>
      <button type="button" onClick={() => print()}>
        {texts.print}
      </button>
    </div>
  );
}
