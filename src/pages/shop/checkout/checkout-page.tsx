/** Checkout of a reservation while its hold lasts. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { formatCountdown } from '../../texts/format.ts';
import { send } from '../shared/api.ts';
import { ConfirmDialog } from '../shared/confirm-dialog.tsx';
import { Frame, Loading, Notice } from '../shared/frame.tsx';
import { ReservationItems } from '../shared/reservation-items.tsx';
import { useAnswer, useCountdown } from '../shared/use-answer.ts';
import type { ReservationAnswer } from '../shared/wire.ts';
import { texts } from '../shared/words.ts';
import { PaymentForm } from './payment-form.tsx';

export function CheckoutPage({ reservationId }: { reservationId: string }) {
  const [answer, reload] = useAnswer<ReservationAnswer>(`/api/reservations/${reservationId}`);
  return (
    <Frame title={texts.checkout}>
      <h1>{texts.checkout}</h1>
      {answer === undefined && <Loading />}
      {answer?.ok === false && <Notice tone="warn" text={texts.notFound} />}
      {answer?.ok && <Checkout reservation={answer.value} reload={reload} />}
    </Frame>
  );
}

function Checkout({ reservation, reload }: { reservation: ReservationAnswer; reload: () => Promise<void> }) {
  const { reservationId, eventId, status, amount, currency } = reservation;
  const endsAt = useMemo(() => performance.now() + (reservation.remainingSeconds ?? 0) * 1000, [reservation]);
  const left = useCountdown(status === 'held' ? endsAt : undefined) ?? 0;
  const [isBusy, setBusy] = useState(false);
  const [over, setOver] = useState(status === 'held' || status === 'confirmed' ? undefined : texts.holdOver);
  const [isAsking, setAsking] = useState(false);

  useEffect(() => {
    if (status === 'confirmed') location.replace(`/reservations/${reservationId}`);
  }, [status, reservationId]);
  useEffect(() => {
    if (status === 'held' && left === 0 && !isBusy) setOver(texts.holdOver);
  }, [status, left, isBusy]);

  const onBusy = (busy: boolean) => {
    setBusy(busy);
    // An attempt to pay extends the hold a little, up to its longest time.
    if (!busy) void reload();
  };
  const giveBack = async (isYes: boolean) => {
    setAsking(false);
    if (!isYes) return;
    await send('POST', `/api/reservations/${reservationId}/cancel`);
    location.assign(`/events/${eventId}/seats`);
  };

  if (over !== undefined) {
    return (
      <>
        <Notice tone="warn" text={over} />
        <p>
          <a class="button main" href={`/events/${eventId}/seats`}>
            {texts.chooseAgain}
          </a>
        </p>
      </>
    );
  }
  return (
    <>
      <PaymentForm
        purchase={{ reservationId }}
        amount={amount}
        currency={currency}
        onBusy={onBusy}
        onPaid={() => location.replace(`/reservations/${reservationId}`)}
        onOver={(problem) => setOver(problem ?? texts.holdOver)}
        end={(isPaying) => (
          <button type="button" class="plain wide" disabled={isPaying} onClick={() => setAsking(true)}>
            {texts.giveBack}
          </button>
        )}
      >
        <p class="countdown">
          {texts.holdEnds} <strong class="clock">{formatCountdown(left)}</strong>
        </p>
        <ReservationItems reservation={reservation} />
      </PaymentForm>
      {isAsking && (
        <ConfirmDialog
          title={texts.giveBackQuestion}
          text={texts.giveBackText}
          yes={texts.giveBack}
          no={texts.giveBackNo}
          onAnswer={giveBack}
        />
      )}
    </>
  );
}
