/** Selection of standing tickets. */
import { useState } from 'preact/hooks';
import { WhileOnSale } from '../events/sale-over.tsx';
import { Loading, Notice } from '../shared/frame.tsx';
import { useAnswer, useEvery } from '../shared/use-answer.ts';
import type { EventAnswer } from '../shared/wire.ts';
import { common, count, fill, money, texts } from '../shared/words.ts';
import { holdAndGo } from './hold.ts';
import { Inside } from './inside.tsx';
import { useSession } from './use-session.ts';

const REFRESH_SECONDS = 5;

export function BookPage({ eventId }: { eventId: string }) {
  const session = useSession(eventId);
  const [event, reload] = useAnswer<EventAnswer>(`/api/events/${eventId}`);
  useEvery(REFRESH_SECONDS, reload);
  const title = event?.ok ? event.value.title : texts.chooseStanding;
  return (
    <Inside session={session} eventId={eventId} heading={texts.chooseStanding} title={title}>
      {event === undefined && <Loading />}
      {event?.ok === false && <Notice tone="warn" text={texts.noEvent} />}
      {event?.ok && (
        <>
          {event.value.seats.total > 0 && event.value.standing.length > 0 && (
            <p>
              <a href={`/events/${eventId}/seats`}>{texts.toSeats}</a>
            </p>
          )}
          <WhileOnSale event={event.value}>
            {event.value.standing.length === 0 ? <NoStanding eventId={eventId} /> : <Booking event={event.value} />}
          </WhileOnSale>
        </>
      )}
    </Inside>
  );
}

function NoStanding({ eventId }: { eventId: string }) {
  return (
    <section class="card empty">
      <h2>{texts.noStanding}</h2>
      <p>{texts.noStandingText}</p>
      <a class="button main" href={`/events/${eventId}/seats`}>
        {texts.chooseSeats}
      </a>
    </section>
  );
}

function Booking({ event: { eventId, standing, currency, maxPerPerson } }: { event: EventAnswer }) {
  const [wanted, setWanted] = useState<Record<string, number>>({});
  const [said, setSaid] = useState('');
  const [isBusy, setBusy] = useState(false);
  const quantity = Object.values(wanted).reduce((sum, value) => sum + value, 0);
  const amount = standing.reduce((sum, { typeId, price }) => sum + price * (wanted[typeId] ?? 0), 0);
  const add = (typeId: string, step: number) => {
    if (step > 0 && quantity >= maxPerPerson) setSaid(fill(texts.tooMany, { count: maxPerPerson }));
    else setWanted({ ...wanted, [typeId]: Math.max(0, (wanted[typeId] ?? 0) + step) });
  };
  const goOn = async () => {
    setBusy(true);
    const tickets = Object.entries(wanted)
      .filter(([, value]) => value > 0)
      .map(([typeId, value]) => ({ typeId, quantity: value }));
    const problem = await holdAndGo({ eventId, tickets });
    if (problem === undefined) return;
    setBusy(false);
    setSaid(problem);
  };
  return (
    <section class="panel booking">
      <ul>
        {standing.map(({ typeId, name, price, remaining }) => (
          <li key={typeId}>
            <span>
              <strong>{name}</strong>
              <span class="soft small">
                {fill(texts.each, { price: money(price, currency) })} ·{' '}
                {remaining === 0 ? common.soldOut : `${texts.left} ${count(remaining)}`}
              </span>
            </span>
            <span class="stepper">
              <button
                type="button"
                aria-label={`${name}: ${texts.fewer}`}
                disabled={(wanted[typeId] ?? 0) === 0}
                onClick={() => add(typeId, -1)}
              >
                −
              </button>
              <output aria-label={`${name}: ${texts.quantity}`}>{wanted[typeId] ?? 0}</output>
              <button
                type="button"
                aria-label={`${name}: ${texts.more}`}
                disabled={(wanted[typeId] ?? 0) >= remaining}
                onClick={() => add(typeId, 1)}
              >
                +
              </button>
            </span>
          </li>
        ))}
      </ul>
      <p class="said" role="status">
        {said}
      </p>
      <button type="button" class="main wide" disabled={quantity === 0 || isBusy} onClick={goOn}>
        {texts.hold}
        {quantity > 0 && ` · ${money(amount, currency)}`}
      </button>
    </section>
  );
}
