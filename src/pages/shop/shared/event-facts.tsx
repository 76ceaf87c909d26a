/** Poster, time and venue of an event, side by side. */
import { EventTime } from './event-time.tsx';
import { Poster } from './poster.tsx';
import type { EventAnswer } from './wire.ts';
import { texts } from './words.ts';

export function EventFacts({ event }: { event: Pick<EventAnswer, 'eventId' | 'startsAt' | 'timeZone' | 'venue'> }) {
  return (
    <div class="event-facts">
      <Poster event={event} size="card" />
      <dl>
        <div>
          <dt>{texts.when}</dt>
          <dd>
            <EventTime iso={event.startsAt} event={event} />
          </dd>
        </div>
        <div>
          <dt>{texts.where}</dt>
          <dd>{event.venue}</dd>
        </div>
      </dl>
    </div>
  );
}
