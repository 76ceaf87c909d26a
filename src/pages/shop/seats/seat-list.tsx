/** The seats as a list, for screen readers and keyboards: a section, a row, and its seats as buttons. */
import { useState } from 'preact/hooks';
import { fill, money, seatName, texts } from '../shared/words.ts';
import { countFree } from './seat-map/seat-states.ts';
import type { SeatMap } from './use-seat-map.ts';

export interface SeatListProps {
  map: SeatMap;
  chosen: readonly string[];
  onChoose: (seatId: string) => void;
}

export function SeatList({ map: { hall, currency }, chosen, onChoose }: SeatListProps) {
  const sections = hall.blocks.map(({ section }) => section);
  const [sectionId, setSectionId] = useState(sections[0]?.id ?? '');
  const [row, setRow] = useState(0);
  const section = sections.find(({ id }) => id === sectionId);
  if (section === undefined) return null;
  const digits = section.seats[row] ?? '';
  const freeIn = (rows: string[]) => rows.reduce((sum, text) => sum + countFree(text), 0);
  return (
    <div class="seat-list">
      <label>
        {texts.section}
        <select
          value={sectionId}
          onChange={(event) => {
            setSectionId(event.currentTarget.value);
            setRow(0);
          }}
        >
          {sections.map(({ id, name, price, seats }) => (
            <option key={id} value={id}>
              {fill(texts.freeInSection, { name, price: money(price, currency), count: freeIn(seats) })}
            </option>
          ))}
        </select>
      </label>
      <label>
        {texts.row}
        <select value={row} onChange={(event) => setRow(Number(event.currentTarget.value))}>
          {section.seats.map((text, index) => (
            <option key={`${section.id}-${index + 1}`} value={index}>
              {fill(texts.freeInRow, { row: index + 1, count: countFree(text) })}
            </option>
          ))}
        </select>
      </label>
      <fieldset>
        <legend>{texts.seats}</legend>
        {Array.from(digits, (digit, index) => {
          const seatId = `${section.id}-${row + 1}-${index + 1}`;
          const isChosen = chosen.includes(seatId);
          const state = isChosen ? texts.stateChosen : digit === '0' ? texts.stateFree : texts.stateTaken;
          return (
            <button
              key={seatId}
              type="button"
              aria-pressed={isChosen}
              disabled={digit !== '0' && !isChosen}
              aria-label={`${index + 1}: ${seatName(section.name, row + 1, index + 1)}, ${state}`}
              onClick={() => onChoose(seatId)}
            >
              {index + 1}
            </button>
          );
        })}
      </fieldset>
    </div>
  );
}
