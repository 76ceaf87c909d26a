/** Paying for what is held, before its time is over. */
import { useEffect, useState } from 'preact/hooks';
import { formatCountdown } from '../shared/format.ts';
import { ask } from './api.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { Frame, Loading, Notice } from './frame.tsx';
import { METHODS, type Method, pay } from './pay.ts';
import { ReservationItems } from './reservation-items.tsx';
import { useAnswer, useCountdown } from './use-answer.ts';
import type { ReservationAnswer } from './wire.ts';
import { fill, money, texts } from './words.ts';

export function CheckoutPage({ reservationId }: { reservationId: string }) {
  const [answer] = useAnswer<ReservationAnswer>(`/api/reservations/${reservationId}`);
  return (
    <Frame title={texts.checkout}>
      <h1>{texts.checkout}</h1>
      {answer === undefined && <Loading />}
      {answer?.ok === false && <Notice tone="warn" text={texts.notFound} />}
      {answer?.ok && <Checkout reservation={answer.value} />}
    </Frame>
  );
}

function Checkout({ reservation }: { reservation: ReservationAnswer }) {
  const { reservationId, eventId, status, remainingSeconds, amount, currency } = reservation;
  const [endsAt] = useState(() => performance.now() + (remainingSeconds ?? 0) * 1000);
  const left = useCountdown(status === 'held' ? endsAt : undefined) ?? 0;
  const [method, setMethod] = useState<Method>('card-approve');
  const [said, setSaid] = useState<{ text: string; tone: 'calm' | 'warn' }>();
  const [isBusy, setBusy] = useState(false);
  const [isOver, setOver] = useState(status !== 'held' && status !== 'confirmed');
  const [isAsking, setAsking] = useState(false);

  useEffect(() => {
    if (status === 'confirmed') location.replace(`/reservations/${reservationId}`);
  }, [status, reservationId]);
  useEffect(() => {
    if (status === 'held' && left === 0 && !isBusy) setOver(true);
  }, [status, left, isBusy]);

  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setSaid({ text: texts.paying, tone: 'calm' });
    const outcome = await pay(reservationId, method, () => setSaid({ text: texts.payWaiting, tone: 'calm' }));
    if (outcome.paid) {
      location.replace(`/reservations/${reservationId}`);
      return;
    }
    setBusy(false);
    setOver(outcome.isOver);
    setSaid({ text: outcome.problem, tone: 'warn' });
  };
  const giveBack = async (isYes: boolean) => {
    setAsking(false);
    if (!isYes) return;
    await ask('POST', `/api/reservations/${reservationId}/cancel`);
    location.assign(`/events/${eventId}/seats`);
  };

  if (isOver) {
    return (
      <>
        <Notice tone="warn" text={said?.text ?? texts.holdOver} />
        <p>
          <a class="button main" href={`/events/${eventId}/seats`}>
            {texts.chooseAgain}
          </a>
        </p>
      </>
    );
  }
  return (
    <form class="panel checkout" onSubmit={submit}>
      <p class="countdown">
        {texts.holdEnds} <strong class="clock">{formatCountdown(left)}</strong>
      </p>
      <ReservationItems reservation={reservation} />
      <fieldset class="methods" disabled={isBusy}>
        <legend>{texts.payWith}</legend>
        <p class="soft small">{texts.sandbox}</p>
        {METHODS.map((name) => (
          <label key={name}>
            <input type="radio" name="method" value={name} checked={method === name} onChange={() => setMethod(name)} />
            {labelOf(name)}
          </label>
        ))}
      </fieldset>
      {said !== undefined && <Notice tone={said.tone} text={said.text} />}
      <button type="submit" class="main wide" disabled={isBusy}>
        {fill(texts.pay, { amount: money(amount, currency) })}
      </button>
      <button type="button" class="plain wide" disabled={isBusy} onClick={() => setAsking(true)}>
        {texts.giveBack}
      </button>
      {isAsking && (
        <ConfirmDialog
          title={texts.giveBackQuestion}
          text={texts.holdOver}
          yes={texts.giveBack}
          no={texts.cancelNo}
          onAnswer={giveBack}
        />
      )}
    </form>
  );
}

function labelOf(method: Method): string {
  return {
    'card-approve': texts.cardApprove,
    'card-decline': texts.cardDecline,
    'card-late': texts.cardLate,
    'card-timeout': texts.cardTimeout,
  }[method];
}
