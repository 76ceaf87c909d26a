/** My tickets: reservations, newest first, and completed transfers. */
import { useState } from 'preact/hooks';
import { Banner, type Tone } from '../shared/banner.tsx';
import { Frame, Loading } from '../shared/frame.tsx';
import { useAnswer } from '../shared/use-answer.ts';
import type { EventAnswer, ReservationAnswer, TransferAnswer, WhoAnswer } from '../shared/wire.ts';
import { common, texts } from '../shared/words.ts';
import { AccountLine } from './account-line.tsx';
import { HoldBanner } from './hold-banner.tsx';
import { MyTransfers } from './my-transfers.tsx';
import { ReservationCard } from './reservation-card.tsx';
import { SecuritySection } from './security-section.tsx';

export function MyPage() {
  const [answer, reload] = useAnswer<ReservationAnswer[]>('/api/reservations/my');
  const [events] = useAnswer<EventAnswer[]>('/api/events');
  const [transfers, reloadTransfers] = useAnswer<TransferAnswer[]>('/api/transfers/my');
  const [who] = useAnswer<WhoAnswer>('/api/auth/me');
  const isGuest = !(who?.ok && who.value.kind === 'user');
  const [said, setSaid] = useState<{ text: string; tone: Tone }>();
  // A visitor the server does not know has no reservations.
  const isUnknown = answer?.ok === false && answer.problem.code !== 'OFFLINE';
  const list = answer?.ok ? answer.value : [];
  const mine = transfers?.ok ? transfers.value : [];
  const eventOf = (id: string) => (events?.ok ? events.value.find(({ eventId }) => eventId === id) : undefined);
  const titleOf = (id: string) => eventOf(id)?.title ?? id;
  const tell = (text: string, tone: Tone) => {
    setSaid({ text, tone });
    void reload();
    void reloadTransfers();
  };
  return (
    <Frame title={texts.myTickets}>
      <div class="stack mine">
        <h1>{texts.myTickets}</h1>
        <AccountLine answer={who} />
        <p class="row">
          <a href="/membership">{texts.membership}</a>
          <a href="/find-ticket">{texts.findLink}</a>
        </p>
        {list
          .filter(({ status }) => status === 'held')
          .map((held) => (
            <HoldBanner key={held.reservationId} reservation={held} title={titleOf(held.eventId)} />
          ))}
        {answer === undefined && <Loading />}
        {answer?.ok === false && !isUnknown && <Banner tone="danger">{common.trouble}</Banner>}
        {said !== undefined && <Banner tone={said.tone}>{said.text}</Banner>}
        {(isUnknown || (answer?.ok && list.length === 0)) && <Empty />}
        <ul class="reservations">
          {list.map((reservation) => (
            <ReservationCard
              key={reservation.reservationId}
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
          ))}
        </ul>
        <MyTransfers transfers={mine} titleOf={titleOf} />
        {who?.ok && who.value.email !== undefined && <SecuritySection who={who.value} />}
        {list.length > 0 && isGuest && <p class="soft small">{texts.guestNote}</p>}
      </div>
    </Frame>
  );
}

function Empty() {
  return (
    <div class="card empty">
      <h2>{texts.noReservations}</h2>
      <p>{texts.emptyText}</p>
      <a class="button main" href="/">
        {texts.backToEvents}
      </a>
    </div>
  );
}
