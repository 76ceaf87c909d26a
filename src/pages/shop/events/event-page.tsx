/** One event: what it is, what tickets cost, and what can be done now. */

import { EventTime } from '../shared/event-time.tsx';
import { Frame, Loading, Notice } from '../shared/frame.tsx';
import { Poster } from '../shared/poster.tsx';
import { useAnswer, useEvery } from '../shared/use-answer.ts';
import type { EventAnswer, TransferAnswer } from '../shared/wire.ts';
import { common, count, fill, texts } from '../shared/words.ts';
import { EventAction } from './event-action.tsx';
import { leftOf, saleTimesOf } from './event-facts.ts';
import { PhaseBadge } from './phase-badge.tsx';
import { PriceList } from './price-list.tsx';
import { TransferOffers } from './transfer-offers.tsx';
import { usePhase } from './use-phase.ts';

const REFRESH_SECONDS = 15;

export function EventPage({ eventId }: { eventId: string }) {
  const [answer, reload] = useAnswer<EventAnswer>(`/api/events/${eventId}`);
  const [offers, reloadOffers] = useAnswer<TransferAnswer[]>(`/api/transfers?eventId=${eventId}`);
  useEvery(REFRESH_SECONDS, reload);
  useEvery(REFRESH_SECONDS, reloadOffers);
  if (answer === undefined)
    return (
      <Frame title={texts.events}>
        <Loading />
      </Frame>
    );
  if (!answer.ok) {
    const text = answer.problem.isTemporary ? common.trouble : texts.noEvent;
    return (
      <Frame title={texts.events}>
        <h1>{texts.events}</h1>
        <Notice tone="warn" text={text} />
        <p>
          <a href="/">{texts.backToEvents}</a>
        </p>
      </Frame>
    );
  }
  return (
    <Frame title={answer.value.title}>
      <EventView event={answer.value} offers={offers?.ok ? offers.value : []} />
    </Frame>
  );
}

function EventView({ event, offers }: { event: EventAnswer; offers: readonly TransferAnswer[] }) {
  const phase = usePhase(event);
  const isOver = phase === 'ended' || phase === 'cancelled';
  // Resale ends when the event starts, whenever the sale ends.
  const shown = phase !== 'cancelled' && Date.now() < Date.parse(event.startsAt) ? offers : [];
  return (
    <>
      <article class="event">
        <Poster event={event} size="large" />
        <div class="stack">
          <div class="event-head">
            <PhaseBadge phase={phase} />
            <h1>{event.title}</h1>
            {event.artist !== '' && <p class="lead">{event.artist}</p>}
          </div>
          <EventFacts event={event} isOver={isOver} />
          <div class="stack event-action">
            <EventAction event={event} phase={phase} hasOffers={shown.length > 0} />
          </div>
          {event.description !== '' && <p class="description">{event.description}</p>}
        </div>
      </article>
      <TransferOffers offers={shown} />
      <PriceList event={event} phase={phase} />
      {!isOver && <HowItWorks event={event} />}
    </>
  );
}

function EventFacts({ event, isOver }: { event: EventAnswer; isOver: boolean }) {
  const sale = saleTimesOf(event, Date.now());
  const left = leftOf(event);
  const rows = [
    [texts.when, <EventTime iso={event.startsAt} event={event} />],
    ...(event.venue === '' ? [] : [[texts.where, event.venue]]),
    ...(sale.members === undefined ? [] : [[texts.membersBuyFrom, <EventTime iso={sale.members} event={event} />]]),
    ...(sale.all === undefined ? [] : [[texts.onSaleFrom, <EventTime iso={sale.all} event={event} />]]),
    ...(isOver ? [] : [[texts.left, left === 0 ? common.soldOut : fill(texts.leftCount, { count: count(left) })]]),
    [texts.perPerson, fill(texts.atMost, { count: event.maxPerPerson })],
    ...(isOver ? [] : [[texts.refundDeadline, <EventTime iso={event.refundUntil} event={event} style="medium" />]]),
  ] as const;
  return (
    <dl class="facts">
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function HowItWorks({ event }: { event: EventAnswer }) {
  const limit = fill(texts.stepChoose, { count: event.maxPerPerson });
  return (
    <section class="event-section" aria-labelledby="how-title">
      <h2 id="how-title">{texts.howTitle}</h2>
      <ol class="steps">
        {[texts.stepWait, limit, texts.stepPay].map((text) => (
          <li key={text} class="card">
            {text}
          </li>
        ))}
      </ol>
    </section>
  );
}
