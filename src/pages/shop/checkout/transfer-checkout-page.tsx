/** Buying what another offers: paying, and waiting until it has changed hands. */
import { useEffect, useState } from 'preact/hooks';
import { Facts, Frame, Loading, Notice } from '../shared/frame.tsx';
import { ItemList } from '../shared/reservation-items.tsx';
import { SignInFirst } from '../shared/sign-in-first.tsx';
import { useAnswer, useEvery } from '../shared/use-answer.ts';
import type { EventAnswer, TransferAnswer } from '../shared/wire.ts';
import { day, texts } from '../shared/words.ts';
import { PaymentForm } from './payment-form.tsx';

const ASK_AGAIN_SECONDS = 1;

export function TransferCheckoutPage({ transferId }: { transferId: string }) {
  const [answer, again] = useAnswer<TransferAnswer>(`/api/transfers/${transferId}`);
  const isNobody = answer?.ok === false && answer.problem.code === 'UNAUTHENTICATED';
  return (
    <Frame title={texts.buyTitle}>
      <h1>{texts.buyTitle}</h1>
      {answer === undefined && <Loading />}
      {isNobody && <SignInFirst />}
      {answer?.ok === false && !isNobody && <Notice tone="warn" text={texts.offerGone} />}
      {answer?.ok && <Buying transfer={answer.value} again={again} />}
    </Frame>
  );
}

function Buying({ transfer, again }: { transfer: TransferAnswer; again: () => Promise<void> }) {
  const { transferId, eventId, price, currency, status, role, reservationId } = transfer;
  const [event] = useAnswer<EventAnswer>(`/api/events/${eventId}`);
  const [over, setOver] = useState<string>();
  const isMine = status === 'completed' && role === 'buyer';
  useEffect(() => {
    if (isMine) location.replace(`/reservations/${reservationId}`);
  }, [isMine, reservationId]);

  if (role === 'seller') return <Ended text={texts.ownOffer} href="/me" label={texts.myTickets} />;
  if (role === 'buyer') return <HandingOver again={again} />;
  if (over !== undefined) return <Ended text={over} href={`/events/${eventId}`} label={texts.backToEvent} />;
  return (
    <PaymentForm
      purchase={{ paymentType: 'transfer', referenceId: transferId }}
      amount={price}
      currency={currency}
      onPaid={again}
      onOver={(problem) => setOver(problem ?? texts.offerGone)}
    >
      {event?.ok && (
        <>
          <h2>{event.value.title}</h2>
          <Facts
            rows={[
              [texts.when, day(event.value.startsAt)],
              [texts.where, event.value.venue],
            ]}
          />
        </>
      )}
      <ItemList items={transfer} sum={price} />
      <p class="soft small">{texts.buyText}</p>
    </PaymentForm>
  );
}

function HandingOver({ again }: { again: () => Promise<void> }) {
  useEvery(ASK_AGAIN_SECONDS, again);
  return <Notice text={texts.handingOverText} />;
}

function Ended({ text, href, label }: { text: string; href: string; label: string }) {
  return (
    <>
      <Notice tone="warn" text={text} />
      <p>
        <a class="button" href={href}>
          {label}
        </a>
      </p>
    </>
  );
}
