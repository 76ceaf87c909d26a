/** Checkout of a transfer: pays, then waits until the tickets have changed hands. */
import { useEffect, useState } from 'preact/hooks';
import { Banner } from '../shared/banner.tsx';
import { Frame, Loading } from '../shared/frame.tsx';
import { countTickets, ItemList } from '../shared/reservation-items.tsx';
import { SignInFirst } from '../shared/sign-in-first.tsx';
import { useAnswer, useEvery } from '../shared/use-answer.ts';
import type { EventAnswer, TransferAnswer } from '../shared/wire.ts';
import { texts } from '../shared/words.ts';
import { OrderSummary } from './order-summary.tsx';
import { PaymentForm } from './payment-form.tsx';

const POLL_SECONDS = 1;

export function TransferCheckoutPage({ transferId }: { transferId: string }) {
  const [answer, reload] = useAnswer<TransferAnswer>(`/api/transfers/${transferId}`);
  const isUnknown = answer?.ok === false && answer.problem.code === 'UNAUTHENTICATED';
  return (
    <Frame title={texts.buyTitle}>
      <h1>{texts.buyTitle}</h1>
      {answer === undefined && <Loading />}
      {isUnknown && <Newcomer transferId={transferId} />}
      {answer?.ok === false && !isUnknown && <Banner tone="warning">{texts.offerGone}</Banner>}
      {answer?.ok && <Buying transfer={answer.value} reload={reload} />}
    </Frame>
  );
}

/** Someone without an account sees the offer too, and the way to it. */
function Newcomer({ transferId }: { transferId: string }) {
  const [offers] = useAnswer<TransferAnswer[]>('/api/transfers');
  if (offers === undefined) return <Loading />;
  const offer = offers.ok ? offers.value.find((one) => one.transferId === transferId) : undefined;
  if (offers.ok && offer === undefined) return <Banner tone="warning">{texts.offerGone}</Banner>;
  return (
    <div class={offer === undefined ? 'narrow' : 'two-columns'}>
      {offer !== undefined && <OfferSummary transfer={offer} />}
      <SignInFirst text={texts.resaleSignIn} />
    </div>
  );
}

function OfferSummary({ transfer }: { transfer: TransferAnswer }) {
  const [event] = useAnswer<EventAnswer>(`/api/events/${transfer.eventId}`);
  const { price, currency } = transfer;
  return (
    <OrderSummary
      event={event?.ok ? event.value : undefined}
      tickets={countTickets(transfer)}
      amount={price}
      currency={currency}
    >
      <ItemList items={transfer} sum={price} />
      <p class="soft small">{texts.buyText}</p>
    </OrderSummary>
  );
}

function Buying({ transfer, reload }: { transfer: TransferAnswer; reload: () => Promise<void> }) {
  const { transferId, eventId, price, currency, status, role, reservationId } = transfer;
  const [over, setOver] = useState<string>();
  const isMine = status === 'completed' && role === 'buyer';
  useEffect(() => {
    if (isMine) location.replace(`/reservations/${reservationId}`);
  }, [isMine, reservationId]);

  if (role === 'seller') return <Ended text={texts.ownOffer} href="/me" label={texts.myTickets} />;
  if (role === 'buyer') return <HandingOver reload={reload} />;
  if (over !== undefined) return <Ended text={over} href={`/events/${eventId}`} label={texts.backToEvent} />;
  return (
    <div class="two-columns">
      <OfferSummary transfer={transfer} />
      <PaymentForm
        purchase={{ paymentType: 'transfer', referenceId: transferId }}
        amount={price}
        currency={currency}
        onPaid={reload}
        onOver={(problem) => setOver(problem ?? texts.offerGone)}
      />
    </div>
  );
}

function HandingOver({ reload }: { reload: () => Promise<void> }) {
  useEvery(POLL_SECONDS, reload);
  return <Banner tone="success">{texts.handingOverText}</Banner>;
}

function Ended({ text, href, label }: { text: string; href: string; label: string }) {
  return (
    <div class="stack narrow">
      <Banner tone="warning">{text}</Banner>
      <p>
        <a class="button" href={href}>
          {label}
        </a>
      </p>
    </div>
  );
}
