/** What tickets cost: one row per section of seats and per kind of standing ticket. */
import type { EventPhase } from '../../../shop/rules/event-phase.ts';
import type { EventAnswer } from '../shared/wire.ts';
import { common, money, texts } from '../shared/words.ts';

export function PriceList({ event, phase }: { event: EventAnswer; phase: EventPhase }) {
  const { sections, standing, currency } = event;
  if (phase === 'cancelled' || sections.length + standing.length === 0) return null;
  return (
    <section class="event-section" aria-labelledby="prices-title">
      <h2 id="prices-title">{texts.prices}</h2>
      <ul class="card price-list">
        {sections.map(({ id, name, price }) => (
          <li key={id} class="price-row">
            <span>{name}</span>
            <span class="number">{money(price, currency)}</span>
          </li>
        ))}
        {standing.map(({ typeId, name, price, remaining }) => (
          <li key={typeId} class="price-row">
            <span>
              {name} {remaining === 0 && <span class="badge neutral">{common.soldOut}</span>}
            </span>
            <span class="number">{money(price, currency)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
