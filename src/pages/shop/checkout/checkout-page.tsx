/** Checkout of a reservation while its hold lasts. */
import { useEffect, useState } from 'preact/hooks';
import { type Answer, send } from '../shared/api.ts';
import { Banner } from '../shared/banner.tsx';
import { ConfirmDialog } from '../shared/confirm-dialog.tsx';
import { emailRule, nameRule, phoneRule, termsRule } from '../shared/field-rules.ts';
import { Frame, Loading } from '../shared/frame.tsx';
import { RefundLine } from '../shared/refund-line.tsx';
import { countTickets, ReservationItems } from '../shared/reservation-items.tsx';
import { useAnswer } from '../shared/use-answer.ts';
import { useHold } from '../shared/use-hold.ts';
import { useProblems } from '../shared/use-problems.ts';
import type { EventAnswer, ReservationAnswer, WhoAnswer } from '../shared/wire.ts';
import { texts } from '../shared/words.ts';
import { BuyerFields, TermsField } from './buyer-fields.tsx';
import { HoldTimer } from './hold-timer.tsx';
import { OrderSummary } from './order-summary.tsx';
import { PaymentForm } from './payment-form.tsx';

export function CheckoutPage({ reservationId }: { reservationId: string }) {
  const [answer, reload] = useAnswer<ReservationAnswer>(`/api/reservations/${reservationId}`);
  const [who] = useAnswer<WhoAnswer>('/api/auth/me');
  return (
    <Frame title={texts.checkout}>
      <h1>{texts.checkout}</h1>
      {(answer === undefined || who === undefined) && <Loading />}
      {answer?.ok === false && <Banner tone="danger">{texts.notFound}</Banner>}
      {answer?.ok && who !== undefined && <Checkout reservation={answer.value} who={who} reload={reload} />}
    </Frame>
  );
}

interface CheckoutProps {
  reservation: ReservationAnswer;
  who: Answer<WhoAnswer>;
  reload: () => Promise<void>;
}

function Checkout({ reservation, who, reload }: CheckoutProps) {
  const { reservationId, eventId, status } = reservation;
  const [event] = useAnswer<EventAnswer>(`/api/events/${eventId}`);
  const [over, setOver] = useState(status === 'held' || status === 'confirmed' ? undefined : texts.holdOver);

  useEffect(() => {
    if (status === 'confirmed') location.replace(`/reservations/${reservationId}`);
  }, [status, reservationId]);

  if (over !== undefined) return <Over eventId={eventId} text={over} />;
  const known = event?.ok ? event.value : undefined;
  return (
    <div class="two-columns">
      <OrderSummary
        event={known}
        tickets={countTickets(reservation)}
        amount={reservation.amount}
        currency={reservation.currency}
      >
        <ReservationItems reservation={reservation} />
      </OrderSummary>
      <Paying reservation={reservation} event={known} who={who} reload={reload} onOver={setOver} />
    </div>
  );
}

interface PayingProps extends CheckoutProps {
  event: EventAnswer | undefined;
  onOver: (text: string) => void;
}

function Paying({ reservation, event, who, reload, onOver }: PayingProps) {
  const { reservationId, eventId, status, amount, currency, canExtend } = reservation;
  const left = useHold(reservation);
  const [isBusy, setBusy] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const { form, problems, check } = useProblems();

  useEffect(() => {
    if (status === 'held' && left === 0 && !isBusy) onOver(texts.holdOver);
  }, [status, left, isBusy, onOver]);

  const onBusy = (busy: boolean) => {
    setBusy(busy);
    // An attempt to pay extends the hold a little, up to its longest time.
    if (!busy) void reload();
  };
  const extend = async () => {
    const done = await send('POST', `/api/reservations/${reservationId}/extend`);
    await reload();
    return done.ok;
  };
  const storeBuyer = async (fields: FormData) => {
    if (!check({ name: nameRule, email: emailRule, phone: phoneRule, terms: termsRule })) return false;
    const [name, email, phone] = ['name', 'email', 'phone'].map((field) => String(fields.get(field)).trim());
    const done = await send('PUT', `/api/reservations/${reservationId}/buyer`, { name, email, phone });
    // A hold that has ended may still be paid for; the payment decides.
    return done.ok || done.problem.code === 'HOLD_ENDED' || texts.buyerFailed;
  };
  const giveBack = async (isYes: boolean) => {
    setAsking(false);
    if (!isYes) return;
    await send('POST', `/api/reservations/${reservationId}/cancel`);
    location.assign(`/events/${eventId}/seats`);
  };
  return (
    <div>
      <PaymentForm
        purchase={{ reservationId }}
        amount={amount}
        currency={currency}
        formRef={form}
        prepare={storeBuyer}
        onBusy={onBusy}
        onPaid={() => location.replace(`/reservations/${reservationId}`)}
        onOver={(problem) => onOver(problem ?? texts.holdOver)}
        beforePay={
          <TermsField problem={problems.terms} refund={<RefundLine reservation={reservation} event={event} />} />
        }
        end={(isPaying) => (
          <button type="button" class="plain wide" disabled={isPaying} onClick={() => setAsking(true)}>
            {texts.giveBack}
          </button>
        )}
      >
        <HoldTimer secondsLeft={left} onExtend={canExtend && !isBusy ? extend : undefined} />
        <BuyerFields buyer={reservation.buyer} who={who} problems={problems} />
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
    </div>
  );
}

function Over({ eventId, text }: { eventId: string; text: string }) {
  return (
    <div class="stack narrow">
      <Banner tone="warning">{text}</Banner>
      <p>
        <a class="button main" href={`/events/${eventId}/seats`}>
          {texts.chooseAgain}
        </a>
      </p>
    </div>
  );
}
