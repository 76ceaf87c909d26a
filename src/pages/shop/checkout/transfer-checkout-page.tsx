/** Checkout of a transfer: pays, then waits until the tickets have changed hands. */
import { useEffect, useState } from 'preact/hooks';
import { Facts, Frame, Loading, Notice } from '../shared/frame.tsx';
import { ItemList } from '../shared/reservation-items.tsx';
import { SignInFirst } from '../shared/sign-in-first.tsx';
import { useAnswer, useEvery } from '../shared/use-answer.ts';
import type { EventAnswer, TransferAnswer } from '../shared/wire.ts';
import { day, texts } from '../shared/words.ts';
import { PaymentForm } from './payment-form.tsx';

const POLL_SECONDS = 1;

export function TransferCheckoutPage({ transferId }: { transferId: string }) {
  const [answer, reload] = useAnswer<TransferAnswer>(`/api/transfers/${transferId}`);
  const isUnknown = answer?.ok === false && answer.problem.code === 'UNAUTHENTICATED';
  return (
    <Frame title={texts.buyTitle}>
      <h1>{texts.buyTitle}</h1>
      {answer === undefined && <Loading />}
      {isUnknown && <SignInFirst />}
      {answer?.ok === false && !isUnknown && <Notice tone="warn" text={texts.offerGone} />}
      {answer?.ok && <Buying transfer={answer.value} reload={reload} />}
    </Frame>
  );
}

function Buying({ transfer, reload }: { transfer: TransferAnswer; reload: () => Promise<void> }) {
  const { transferId, eventId, price, currency, status, role, reservationId } = transfer;
  const [event] = useAnswer<EventAnswer>(`/api/events/${eventId}`);
  const [over, setOver] = useState<string>();
  const isMine = status === 'completed' && role === 'buyer';
  useEffect(() => {
    if (isMine) location.replace(`/reservations/${reservationId}`);
  }, [isMine, reservationId]);

  if (role === 'seller') return <Ended text={texts.ownOffer} href="/me" label={texts.myTickets} />;
  if (role === 'buyer') return <HandingOver reload={reload} />;
  if (over !== undefined) return <Ended text={over} href={`/events/${eventId}`} label={texts.backToEvent} />;
  return (
    <PaymentForm
      purchase={{ paymentType: 'transfer', referenceId: transferId }}
      amount={price}
      currency={currency}
      onPaid={reload}
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

function HandingOver({ reload }: { reload: () => Promise<void> }) {
  useEvery(POLL_SECONDS, reload);
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
