/** What one has: reservations, the latest first. */
import { useState } from 'preact/hooks';
import { AccountLine } from './account-line.tsx';
import { CancelButton } from './cancel-button.tsx';
import { Frame, Loading, Notice } from './frame.tsx';
import { ReservationItems, statusOf } from './reservation-items.tsx';
import { useAnswer } from './use-answer.ts';
import type { EventAnswer, ReservationAnswer } from './wire.ts';
import { common, day, texts } from './words.ts';

export function MyPage() {
  const [answer, again] = useAnswer<ReservationAnswer[]>('/api/reservations/my');
  const [events] = useAnswer<EventAnswer[]>('/api/events');
  const [said, setSaid] = useState<{ text: string; tone: 'calm' | 'warn' }>();
  // Whoever has never been here has nothing here.
  const isNobody = answer?.ok === false && answer.problem.code !== 'OFFLINE';
  const list = answer?.ok ? answer.value : [];
  return (
    <Frame title={texts.myTickets}>
      <h1>{texts.myTickets}</h1>
      <AccountLine />
      {answer === undefined && <Loading />}
      {answer?.ok === false && !isNobody && <Notice tone="warn" text={common.trouble} />}
      {said !== undefined && <Notice tone={said.tone} text={said.text} />}
      {(isNobody || (answer?.ok && list.length === 0)) && (
        <>
          <Notice text={texts.noReservations} />
          <p>
            <a href="/">{texts.backToEvents}</a>
          </p>
        </>
      )}
      <ul class="reservations">
        {list.map((reservation) => (
          <li key={reservation.reservationId} class="panel">
            <ReservationView
              reservation={reservation}
              event={events?.ok ? events.value.find(({ eventId }) => eventId === reservation.eventId) : undefined}
              onDone={(text, tone) => {
                setSaid({ text, tone });
                void again();
              }}
            />
          </li>
        ))}
      </ul>
      {list.length > 0 && <p class="soft small">{texts.guestNote}</p>}
    </Frame>
  );
}

interface ReservationViewProps {
  reservation: ReservationAnswer;
  event: EventAnswer | undefined;
  onDone: (text: string, tone: 'calm' | 'warn') => void;
}

function ReservationView({ reservation, event, onDone }: ReservationViewProps) {
  const { reservationId, eventId, status } = reservation;
  return (
    <>
      <div class="title-row">
        <h2>{event?.title ?? eventId}</h2>
        <span class={status === 'confirmed' ? 'badge' : 'badge warn'}>{statusOf(reservation)}</span>
      </div>
      {event !== undefined && <p class="soft">{day(event.startsAt)}</p>}
      <ReservationItems reservation={reservation} />
      <div class="actions">
        {status === 'confirmed' && (
          <>
            <a class="button main" href={`/reservations/${reservationId}`}>
              {texts.showTicket}
            </a>
            <CancelButton reservationId={reservationId} onDone={onDone} />
          </>
        )}
        {status === 'held' && (
          <a class="button main" href={`/checkout/${reservationId}`}>
            {texts.payNow}
          </a>
        )}
      </div>
    </>
  );
}
