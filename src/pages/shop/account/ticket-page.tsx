/** One reservation, with its ticket once it is paid. */
import { useState } from 'preact/hooks';
import { Facts, Frame, Loading, Notice } from '../shared/frame.tsx';
import { ReservationItems, statusOf } from '../shared/reservation-items.tsx';
import { useAnswer } from '../shared/use-answer.ts';
import type { EventAnswer, ReservationAnswer } from '../shared/wire.ts';
import { day, texts } from '../shared/words.ts';
import { CancelButton } from './cancel-button.tsx';

export function TicketPage({ reservationId }: { reservationId: string }) {
  const [answer, reload] = useAnswer<ReservationAnswer>(`/api/reservations/${reservationId}`);
  return (
    <Frame title={texts.ticket}>
      {answer === undefined && <Loading />}
      {answer?.ok === false && (
        <>
          <h1>{texts.ticket}</h1>
          <Notice tone="warn" text={texts.notFound} />
        </>
      )}
      {answer?.ok && <TicketView reservation={answer.value} onChange={reload} />}
    </Frame>
  );
}

function TicketView({ reservation, onChange }: { reservation: ReservationAnswer; onChange: () => Promise<void> }) {
  const { reservationId, eventId, status, ticket } = reservation;
  const [event] = useAnswer<EventAnswer>(`/api/events/${eventId}`);
  const [said, setSaid] = useState<{ text: string; tone: 'calm' | 'warn' }>();
  const rows: [string, string][] = [
    ...(event?.ok
      ? ([
          [texts.when, day(event.value.startsAt)],
          [texts.where, event.value.venue],
        ] as [string, string][])
      : []),
    [texts.number, reservationId],
    [texts.status, statusOf(reservation)],
  ];
  return (
    <article class="panel ticket">
      <h1>{event?.ok ? event.value.title : texts.ticket}</h1>
      {status === 'confirmed' && said === undefined && <Notice text={texts.confirmed} />}
      {said !== undefined && <Notice tone={said.tone} text={said.text} />}
      {ticket?.qr !== undefined && (
        <img
          class="qr"
          src={`data:image/svg+xml,${encodeURIComponent(ticket.qr)}`}
          alt={texts.qrLabel}
          width="240"
          height="240"
        />
      )}
      {ticket !== undefined && <p class="code">{ticket.code}</p>}
      <Facts rows={rows} />
      <ReservationItems reservation={reservation} />
      <div class="actions">
        {status === 'held' && (
          <a class="button main" href={`/checkout/${reservationId}`}>
            {texts.payNow}
          </a>
        )}
        {status === 'confirmed' && (
          <CancelButton
            reservationId={reservationId}
            onDone={(text, tone) => {
              setSaid({ text, tone });
              void onChange();
            }}
          />
        )}
        <a class="button" href="/me">
          {texts.myTickets}
        </a>
      </div>
    </article>
  );
}
