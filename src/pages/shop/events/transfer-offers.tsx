/** What those who have tickets of an event offer; nothing where nobody does. */
import { nameItems } from '../shared/reservation-items.tsx';
import { useAnswer, useEvery } from '../shared/use-answer.ts';
import type { TransferAnswer } from '../shared/wire.ts';
import { fill, money, texts } from '../shared/words.ts';

const REFRESH_SECONDS = 15;

export function TransferOffers({ eventId }: { eventId: string }) {
  const [answer, again] = useAnswer<TransferAnswer[]>(`/api/transfers?eventId=${eventId}`);
  useEvery(REFRESH_SECONDS, again);
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
