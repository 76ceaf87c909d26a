/** The selection, its sum and the way to the payment; on a phone it stays at the bottom of the screen. */
import { fill, money, texts } from '../shared/words.ts';
import { nameOf, priceOf, sumOf } from './seat-names.ts';
import type { SeatMap } from './use-seat-map.ts';

export interface PayBarProps {
  map: SeatMap;
  chosen: readonly string[];
  said: string;
  isBusy: boolean;
  onRemove: (seatId: string) => void;
  onHold: () => void;
}

export function PayBar({ map, chosen, said, isBusy, onRemove, onHold }: PayBarProps) {
  const isEmpty = chosen.length === 0;
  return (
    <section class={`choice panel${isEmpty ? ' is-empty' : ''}`} aria-labelledby="choice-title">
      <h2 id="choice-title">{texts.chosen}</h2>
      <p class="said" role="status">
        {said}
      </p>
      {isEmpty ? (
        <p class="soft">{texts.nothingChosen}</p>
      ) : (
        <ul>
          {chosen.map((id) => (
            <li key={id}>
              <span>{nameOf(map, id)}</span>
              <span class="amount">{money(priceOf(map, id), map.currency)}</span>
              <button
                type="button"
                class="plain"
                aria-label={fill(texts.remove, { name: nameOf(map, id) })}
                onClick={() => onRemove(id)}
              >
                ✕
              </button>
            </li>
          ))}
        </ul>
      )}
      <button type="button" class="main wide" disabled={isEmpty || isBusy} onClick={onHold}>
        {texts.hold}
        {!isEmpty &&
          ` · ${fill(texts.seatCount, { count: chosen.length })} · ${money(sumOf(map, chosen), map.currency)}`}
      </button>
    </section>
  );
}
