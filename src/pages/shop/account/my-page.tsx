/** My tickets: reservations, newest first, and completed transfers. */
import { useState } from 'preact/hooks';
import { Frame, Loading, Notice } from '../shared/frame.tsx';
import { ReservationItems, statusOf } from '../shared/reservation-items.tsx';
import { useAnswer } from '../shared/use-answer.ts';
import type { EventAnswer, ReservationAnswer, TransferAnswer, WhoAnswer } from '../shared/wire.ts';
import { common, day, fill, money, texts } from '../shared/words.ts';
import { AccountLine } from './account-line.tsx';
import { CancelButton } from './cancel-button.tsx';
import { MyTransfers } from './my-transfers.tsx';
import { OfferButton } from './offer-button.tsx';
import { SecuritySection } from './security-section.tsx';
import { WithdrawButton } from './withdraw-button.tsx';

type Say = (text: string, tone: 'calm' | 'warn') => void;

export function MyPage() {
  const [answer, reload] = useAnswer<ReservationAnswer[]>('/api/reservations/my');
  const [events] = useAnswer<EventAnswer[]>('/api/events');
  const [transfers, reloadTransfers] = useAnswer<TransferAnswer[]>('/api/transfers/my');
  const [who] = useAnswer<WhoAnswer>('/api/auth/me');
  const isGuest = !(who?.ok && who.value.kind === 'user');
  const [said, setSaid] = useState<{ text: string; tone: 'calm' | 'warn' }>();
  // A visitor the server does not know has no reservations.
  const isUnknown = answer?.ok === false && answer.problem.code !== 'OFFLINE';
  const list = answer?.ok ? answer.value : [];
  const mine = transfers?.ok ? transfers.value : [];
  const eventOf = (id: string) => (events?.ok ? events.value.find(({ eventId }) => eventId === id) : undefined);
  const tell: Say = (text, tone) => {
    setSaid({ text, tone });
    void reload();
    void reloadTransfers();
  };
  return (
    <Frame title={texts.myTickets}>
      <h1>{texts.myTickets}</h1>
      <AccountLine answer={who} />
      <p>
        <a href="/membership">{texts.membership}</a>
      </p>
      {answer === undefined && <Loading />}
      {answer?.ok === false && !isUnknown && <Notice tone="warn" text={common.trouble} />}
      {said !== undefined && <Notice tone={said.tone} text={said.text} />}
      {(isUnknown || (answer?.ok && list.length === 0)) && (
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
              event={eventOf(reservation.eventId)}
              offer={mine.find(
                ({ reservationId, role, status }) =>
                  reservationId === reservation.reservationId &&
                  role === 'seller' &&
                  (status === 'listed' || status === 'paid'),
              )}
              onDone={tell}
            />
          </li>
        ))}
      </ul>
      <MyTransfers transfers={mine} titleOf={(id) => eventOf(id)?.title ?? id} />
      {who?.ok && who.value.email !== undefined && <SecuritySection who={who.value} />}
      {list.length > 0 && isGuest && <p class="soft small">{texts.guestNote}</p>}
    </Frame>
  );
}

interface ReservationViewProps {
  reservation: ReservationAnswer;
  event: EventAnswer | undefined;
  /** The open offer of this reservation to others. */
  offer: TransferAnswer | undefined;
  onDone: Say;
}

function ReservationView({ reservation, event, offer, onDone }: ReservationViewProps) {
  const { reservationId, eventId, status } = reservation;
  return (
    <>
      <div class="title-row">
        <h2>{event?.title ?? eventId}</h2>
        {offer === undefined ? (
          <span class={status === 'confirmed' ? 'badge' : 'badge warn'}>{statusOf(reservation)}</span>
        ) : (
          <span class="badge warn">
            {offer.status === 'paid'
              ? texts.handingOver
              : fill(texts.offeredFor, { amount: money(offer.price, offer.currency) })}
          </span>
        )}
      </div>
      {event !== undefined && <p class="soft">{day(event.startsAt)}</p>}
      <ReservationItems reservation={reservation} />
      <div class="actions">
        {status === 'confirmed' && (
          <>
            <a class="button main" href={`/reservations/${reservationId}`}>
              {texts.showTicket}
            </a>
            {offer === undefined ? (
              <OfferButton reservation={reservation} onDone={onDone} />
            ) : (
              <WithdrawButton transferId={offer.transferId} onDone={onDone} />
            )}
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
