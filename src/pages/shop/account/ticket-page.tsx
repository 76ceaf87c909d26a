/** One reservation, with a ticket per person once it is paid. */
import { useState } from 'preact/hooks';
import { Banner, type Tone } from '../shared/banner.tsx';
import { EventFacts } from '../shared/event-facts.tsx';
import { Frame, Loading } from '../shared/frame.tsx';
import { RefundLine } from '../shared/refund-line.tsx';
import { ReservationItems, StatusBadge } from '../shared/reservation-items.tsx';
import { useAnswer } from '../shared/use-answer.ts';
import type { EventAnswer, ReservationAnswer } from '../shared/wire.ts';
import { texts } from '../shared/words.ts';
import { CancelButton } from './cancel-button.tsx';
import { EntryTicket } from './ticket/entry-ticket.tsx';
import { ShareButton } from './ticket/share-button.tsx';
import { TicketTools } from './ticket/ticket-tools.tsx';

export function TicketPage({ reservationId }: { reservationId: string }) {
  const [answer, reload] = useAnswer<ReservationAnswer>(`/api/reservations/${reservationId}`);
  return (
    <Frame title={texts.ticket}>
      {answer === undefined && <Loading />}
      {answer?.ok === false && (
        <div class="stack narrow">
          <h1>{texts.ticket}</h1>
          <Banner tone="danger">{texts.notFound}</Banner>
          <p>
            <a href="/find-ticket">{texts.findLink}</a>
          </p>
        </div>
      )}
      {answer?.ok && <TicketView reservation={answer.value} onChange={reload} />}
    </Frame>
  );
}

function TicketView({ reservation, onChange }: { reservation: ReservationAnswer; onChange: () => Promise<void> }) {
  const { reservationId, eventId, status, ticket, bookingCode } = reservation;
  const [event] = useAnswer<EventAnswer>(`/api/events/${eventId}`);
  const [said, setSaid] = useState<{ text: string; tone: Tone }>();
  const known = event?.ok ? event.value : undefined;
  const tell = (text: string, tone: Tone) => {
    setSaid({ text, tone });
    void onChange();
  };
  const entries = ticket?.entries ?? [];
  return (
    <article class="ticket">
      <header class="stack">
        <div class="row between">
          <h1>{known?.title ?? texts.ticket}</h1>
          <StatusBadge reservation={reservation} />
        </div>
        {status === 'confirmed' && said === undefined && <Banner tone="success">{texts.confirmed}</Banner>}
        {said !== undefined && <Banner tone={said.tone}>{said.text}</Banner>}
      </header>
      <div class="two-columns">
        <ul class="entries" aria-label={texts.ticketsOf}>
          {entries.map((entry) => (
            <EntryTicket
              key={entry.entry}
              entry={entry}
              total={entries.length}
              printed={known !== undefined && <PrintedHead event={known} code={bookingCode} />}
            >
              <ShareButton entry={entry} />
            </EntryTicket>
          ))}
        </ul>
        <aside class="card stack booking-facts">
          {known !== undefined && <EventFacts event={known} />}
          {bookingCode !== undefined && <BookingCode code={bookingCode} />}
          <ReservationItems reservation={reservation} />
          {status === 'confirmed' && <RefundLine reservation={reservation} event={known} />}
          {status === 'confirmed' && known !== undefined && <TicketTools event={known} uid={reservationId} />}
          <div class="actions">
            {status === 'held' && (
              <a class="button main" href={`/checkout/${reservationId}`}>
                {texts.payNow}
              </a>
            )}
            {status === 'confirmed' && <CancelButton reservationId={reservationId} onDone={tell} />}
            <a class="button" href="/me">
              {texts.myTickets}
            </a>
          </div>
        </aside>
      </div>
    </article>
  );
}

export function BookingCode({ code }: { code: string }) {
  return (
    <dl class="stat">
      <dt>{texts.bookingCode}</dt>
      <dd class="booking-code">{code}</dd>
    </dl>
  );
}

export function PrintedHead({
  event,
  code,
}: {
  event: Pick<EventAnswer, 'eventId' | 'title' | 'startsAt' | 'timeZone' | 'venue'>;
  code?: string | undefined;
}) {
  return (
    <div class="stack">
      <strong>{event.title}</strong>
      <EventFacts event={event} />
      {code !== undefined && <BookingCode code={code} />}
    </div>
  );
}
