/** One reservation in the visitor's list. */
import type { Tone } from '../shared/banner.tsx';
import { EventFacts } from '../shared/event-facts.tsx';
import { ReservationItems, StatusBadge } from '../shared/reservation-items.tsx';
import type { EventAnswer, ReservationAnswer, TransferAnswer } from '../shared/wire.ts';
import { fill, money, texts } from '../shared/words.ts';
import { CancelButton } from './cancel-button.tsx';
import { OfferButton } from './offer-button.tsx';
import { WithdrawButton } from './withdraw-button.tsx';

export interface ReservationCardProps {
  reservation: ReservationAnswer;
  event: EventAnswer | undefined;
  /** The open offer of this reservation to others. */
  offer: TransferAnswer | undefined;
  onDone: (text: string, tone: Tone) => void;
}

export function ReservationCard({ reservation, event, offer, onDone }: ReservationCardProps) {
  const { reservationId, eventId, status, bookingCode } = reservation;
  return (
    <li class="card stack">
      <div class="title-row">
        <h2>{event?.title ?? eventId}</h2>
        {offer === undefined ? <StatusBadge reservation={reservation} /> : <OfferBadge offer={offer} />}
      </div>
      {event !== undefined && <EventFacts event={event} />}
      {bookingCode !== undefined && (
        <p class="row between">
          <span class="soft">{texts.bookingCode}</span>
          <strong class="booking-code">{bookingCode}</strong>
        </p>
      )}
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
    </li>
  );
}

function OfferBadge({ offer }: { offer: TransferAnswer }) {
  return (
    <span class="badge warning">
      {offer.status === 'paid'
        ? texts.handingOver
        : fill(texts.offeredFor, { amount: money(offer.price, offer.currency) })}
    </span>
  );
}
