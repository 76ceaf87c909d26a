/** Tickets of an event that other visitors offer; renders nothing if there are none. */
import { nameItems } from '../shared/reservation-items.tsx';
import { useAnswer, useEvery } from '../shared/use-answer.ts';
import type { TransferAnswer } from '../shared/wire.ts';
import { fill, money, texts } from '../shared/words.ts';

const REFRESH_SECONDS = 15;

export function TransferOffers({ eventId }: { eventId: string }) {
  const [answer, reload] = useAnswer<TransferAnswer[]>(`/api/transfers?eventId=${eventId}`);
  useEvery(REFRESH_SECONDS, reload);
  if (!answer?.ok || answer.value.length === 0) return null;
  return (
    <section class="offers" aria-labelledby="offers-title">
      <h2 id="offers-title">{texts.fromOthers}</h2>
      <p class="soft small">{texts.fromOthersText}</p>
      <ul>
        {answer.value.map((offer) => (
          <li key={offer.transferId} class="panel">
            <span class="lines">
              {nameItems(offer).map((name) => (
                <span key={name}>{name}</span>
              ))}
            </span>
            <a class="button" href={`/checkout/transfers/${offer.transferId}`}>
              {fill(texts.buy, { amount: money(offer.price, offer.currency) })}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
