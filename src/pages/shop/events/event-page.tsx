/** One event, with the link to its line. */

import { Facts, Frame, Loading, Notice } from '../shared/frame.tsx';
import { useAnswer, useEvery } from '../shared/use-answer.ts';
import type { EventAnswer } from '../shared/wire.ts';
import { common, count, day, fill, priceRange, texts } from '../shared/words.ts';
import { leftOf, saleTimesOf, totalOf } from './event-facts.ts';
import { TransferOffers } from './transfer-offers.tsx';

const REFRESH_SECONDS = 15;

export function EventPage({ eventId }: { eventId: string }) {
  const [answer, reload] = useAnswer<EventAnswer>(`/api/events/${eventId}`);
  useEvery(REFRESH_SECONDS, reload);
  if (answer === undefined)
    return (
      <Frame title={texts.events}>
        <Loading />
      </Frame>
    );
  if (!answer.ok) {
    const text = answer.problem.code === 'OFFLINE' ? common.trouble : texts.noEvent;
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
      <EventView event={answer.value} />
      {answer.value.state === 'open' && <TransferOffers eventId={eventId} />}
    </Frame>
  );
}

function EventView({ event }: { event: EventAnswer }) {
  const { eventId, title, artist, venue, description, startsAt, prices, currency, maxPerPerson, state, imageUrl } =
    event;
  const left = leftOf(event);
  const sale = saleTimesOf(event, Date.now());
  const rows: [string, string][] = [
    [texts.when, day(startsAt)],
    [texts.where, venue],
    ...(sale.members === undefined ? [] : [[texts.membersBuyFrom, day(sale.members)] as [string, string]]),
    ...(sale.all === undefined ? [] : [[texts.onSaleFrom, day(sale.all)] as [string, string]]),
    ...(prices === null ? [] : [[texts.prices, priceRange(prices, currency)] as [string, string]]),
    [texts.left, left === 0 ? common.soldOut : fill(texts.leftOf, { left: count(left), total: count(totalOf(event)) })],
    [texts.perPerson, fill(texts.atMost, { count: maxPerPerson })],
  ];
  return (
    <article class="event">
      {imageUrl === null ? (
        <span class="poster large" aria-hidden="true">
          {title.slice(0, 1)}
        </span>
      ) : (
        <img class="poster large" src={imageUrl} alt="" />
      )}
      <div>
        <h1>{title}</h1>
        <p class="lead">{artist}</p>
        <Facts rows={rows} />
        {description !== '' && <p class="description">{description}</p>}
        {state === 'cancelled' ? (
          <Notice tone="warn" text={texts.cancelledEvent} />
        ) : (
          <>
            <p>
              <a class="button main wide" href={`/queue/${eventId}`}>
                {texts.getTickets}
              </a>
            </p>
            <p class="soft small">{texts.howItWorks}</p>
          </>
        )}
      </div>
    </article>
  );
}
