/** Tickets of an event that other visitors offer; renders nothing if there are none. */
import { nameItems } from '../shared/reservation-items.tsx';
import { useAnswer } from '../shared/use-answer.ts';
import type { TransferAnswer, WhoAnswer } from '../shared/wire.ts';
import { fill, money, texts } from '../shared/words.ts';

type Offers = { offers: readonly TransferAnswer[] };

export function TransferOffers({ offers }: Offers) {
  return offers.length === 0 ? null : <OfferList offers={offers} />;
}

/** Apart, because only it asks who the visitor is. */
function OfferList({ offers }: Offers) {
  const [who] = useAnswer<WhoAnswer>('/api/auth/me');
  // A ticket needs an owner. A visitor without a place or an account has no identity yet: they sign in and come back.
  const isNew = who?.ok === false && who.problem.code === 'UNAUTHENTICATED';
  return (
    <section class="offers" aria-labelledby="offers-title">
      <h2 id="offers-title" tabIndex={-1}>
        {texts.fromOthers}
      </h2>
      <p class="soft">{texts.fromOthersText}</p>
      {isNew && <p class="soft">{texts.signInToBuy}</p>}
      <ul>
        {offers.map((offer) => (
          <li key={offer.transferId} class="card">
            <span class="lines">
              {nameItems(offer).map((name) => (
                <span key={name}>{name}</span>
              ))}
            </span>
            <a class="button" href={pathOf(offer.transferId, isNew)}>
              {fill(texts.buy, { amount: money(offer.price, offer.currency) })}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function pathOf(transferId: string, isNew: boolean): string {
  const path = `/checkout/transfers/${transferId}`;
  return isNew ? `/sign-in?to=${encodeURIComponent(path)}` : path;
}
