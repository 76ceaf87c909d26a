/** Finds the best adjacent seats: the first choice on the page. */
import { useState } from 'preact/hooks';
import { money, texts } from '../shared/words.ts';
import type { HoldRequest } from './hold.ts';
import type { SeatMap } from './use-seat-map.ts';

/** How many tickets most visitors buy. */
const USUAL = 2;

export interface BestSeatsProps {
  eventId: string;
  map: SeatMap;
  most: number;
  isBusy: boolean;
  onHold: (request: HoldRequest) => void;
}

export function BestSeats({ eventId, map: { hall, currency }, most, isBusy, onHold }: BestSeatsProps) {
  const [count, setCount] = useState(USUAL);
  const [section, setSection] = useState('');
  return (
    <form
      class="best panel"
      onSubmit={(event) => {
        event.preventDefault();
        onHold({ eventId, best: { count: Math.min(count, most), ...(section !== '' && { section }) } });
      }}
    >
      <h2>{texts.best}</h2>
      <p class="soft small">{texts.side}</p>
      <div class="fields">
        <label>
          {texts.bestCount}
          <select value={Math.min(count, most)} onChange={(event) => setCount(Number(event.currentTarget.value))}>
            {Array.from({ length: most }, (_, index) => (
              <option key={`${index + 1}`} value={index + 1}>
                {index + 1}
              </option>
            ))}
          </select>
        </label>
        <label>
          {texts.section}
          <select value={section} onChange={(event) => setSection(event.currentTarget.value)}>
            <option value="">{texts.anySection}</option>
            {hall.blocks.map(({ section: { id, name, price } }) => (
              <option key={id} value={id}>
                {name}, {money(price, currency)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <button type="submit" class="main" disabled={isBusy}>
        {texts.bestPick}
      </button>
    </form>
  );
}
