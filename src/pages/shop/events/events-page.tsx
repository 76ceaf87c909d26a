/** All events: search, filters, and the past ones apart. */
import { useState } from 'preact/hooks';
import { EventTime } from '../shared/event-time.tsx';
import { Frame, Loading, Notice } from '../shared/frame.tsx';
import { Poster } from '../shared/poster.tsx';
import { useAnswer, useEvery } from '../shared/use-answer.ts';
import type { EventAnswer } from '../shared/wire.ts';
import { common, priceRange, texts } from '../shared/words.ts';
import { isPast } from './event-facts.ts';
import { type EventFilter, EventFilters, filterEvents, NO_FILTER } from './event-filters.tsx';
import { PhaseBadge } from './phase-badge.tsx';
import { usePhase } from './use-phase.ts';

const REFRESH_SECONDS = 30;
/** Fewer are seen at a glance. */
const FILTERS_FROM = 2;

export function EventsPage() {
  const [answer, reload] = useAnswer<EventAnswer[]>('/api/events');
  useEvery(REFRESH_SECONDS, reload);
  return (
    <Frame title={texts.events}>
      <h1>{texts.events}</h1>
      {answer === undefined && <Loading />}
      {answer?.ok === false && <Notice tone="warn" text={common.trouble} />}
      {answer?.ok && answer.value.length === 0 && (
        <div class="empty">
          <p>{texts.noEvents}</p>
        </div>
      )}
      {answer?.ok && answer.value.length > 0 && <Listing events={answer.value} />}
    </Frame>
  );
}

function Listing({ events }: { events: readonly EventAnswer[] }) {
  const [filter, setFilter] = useState<EventFilter>(NO_FILTER);
  const now = Date.now();
  const found = filterEvents(events, filter, now);
  const past = found.filter((event) => isPast(event, now));
  const ahead = found.filter((event) => !isPast(event, now));
  return (
    <>
      {events.length >= FILTERS_FROM && <EventFilters events={events} filter={filter} onChange={setFilter} />}
      {found.length === 0 && (
        <div class="empty" role="status">
          <p>{texts.noMatches}</p>
          <button type="button" onClick={() => setFilter(NO_FILTER)}>
            {texts.clearFilters}
          </button>
        </div>
      )}
      <Cards events={ahead} />
      {past.length > 0 && (
        <section class="event-section" aria-labelledby="past-title">
          <h2 id="past-title">{texts.pastEvents}</h2>
          <Cards events={past.toReversed()} />
        </section>
      )}
    </>
  );
}

function Cards({ events }: { events: readonly EventAnswer[] }) {
  if (events.length === 0) return null;
  return (
    <ul class="events">
      {events.map((event) => (
        <li key={event.eventId}>
          <EventCard event={event} />
        </li>
      ))}
    </ul>
  );
}

function EventCard({ event }: { event: EventAnswer }) {
  const { eventId, title, artist, venue, startsAt, prices, currency } = event;
  const phase = usePhase(event);
  return (
    <a class="card event-card" href={`/events/${eventId}`}>
      <Poster event={event} size="card" />
      <span class="card-text">
        <span>
          <PhaseBadge phase={phase} />
        </span>
        <strong>{title}</strong>
        {artist !== '' && <span>{artist}</span>}
        <span class="soft">
          <EventTime iso={startsAt} event={event} style="medium" />
        </span>
        {venue !== '' && <span class="soft">{venue}</span>}
        {prices !== null && <span class="number">{priceRange(prices, currency)}</span>}
      </span>
    </a>
  );
}
