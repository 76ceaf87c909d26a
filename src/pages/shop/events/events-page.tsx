/** All events. */

import { Frame, Loading, Notice } from '../shared/frame.tsx';
import { useAnswer } from '../shared/use-answer.ts';
import type { EventAnswer } from '../shared/wire.ts';
import { common, count, day, priceRange, texts } from '../shared/words.ts';
import { leftOf } from './event-facts.ts';

export function EventsPage() {
  const [answer] = useAnswer<EventAnswer[]>('/api/events');
  return (
    <Frame title={texts.events}>
      <h1>{texts.events}</h1>
      {answer === undefined && <Loading />}
      {answer?.ok === false && <Notice tone="warn" text={common.trouble} />}
      {answer?.ok && answer.value.length === 0 && <Notice text={texts.noEvents} />}
      {answer?.ok && (
        <ul class="events">
          {answer.value.map((event) => (
            <li key={event.eventId}>
              <EventCard event={event} />
            </li>
          ))}
        </ul>
      )}
    </Frame>
  );
}

function EventCard({ event }: { event: EventAnswer }) {
  const { eventId, title, artist, venue, startsAt, prices, currency, imageUrl, state } = event;
  const left = leftOf(event);
  return (
    <a class="card" href={`/events/${eventId}`}>
      {imageUrl === null ? (
        <span class="poster" aria-hidden="true">
          {title.slice(0, 1)}
        </span>
      ) : (
        <img class="poster" src={imageUrl} alt="" />
      )}
      <span class="card-text">
        <strong>{title}</strong>
        <span>{artist}</span>
        <span class="soft">
          {day(startsAt)} · {venue}
        </span>
        <span class="card-end">
          {prices !== null && <span>{priceRange(prices, currency)}</span>}
          <span class={left === 0 || state === 'cancelled' ? 'badge warn' : 'badge'}>
            {state === 'cancelled'
              ? texts.statusCancelled
              : left === 0
                ? common.soldOut
                : `${texts.left} ${count(left)}`}
          </span>
        </span>
      </span>
    </a>
  );
}
