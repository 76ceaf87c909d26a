/** The seats as a list, for screen readers and keyboards: a section, a row, and its seats as buttons. */
import { useState } from 'preact/hooks';
import { fill, money, texts } from '../shared/words.ts';
import { rowLabelOf, seatLabelOf } from './seat-map/hall.ts';
import { countFree } from './seat-map/seat-states.ts';
import { nameOf } from './seat-names.ts';
import type { SeatMap } from './use-seat-map.ts';

export interface SeatListProps {
  map: SeatMap;
  chosen: readonly string[];
  /** Held by this visitor. */
  mine: readonly string[];
  onChoose: (seatId: string) => void;
}

export function SeatList({ map: { hall, currency }, chosen, mine, onChoose }: SeatListProps) {
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
              {fill(section.kind === 'table' ? texts.freeAtTable : texts.freeInRow, {
                row: rowLabelOf(section, index),
                count: countFree(text),
              })}
            </option>
          ))}
        </select>
      </label>
      <fieldset>
        <legend>{texts.seats}</legend>
        {Array.from(digits, (digit, index) => {
          if (digit === '3') return null;
          const seatId = `${section.id}-${row + 1}-${index + 1}`;
          const isChosen = chosen.includes(seatId);
          const isMine = mine.includes(seatId);
          const taken = isMine ? texts.stateMine : texts.stateTaken;
          const state = isChosen ? texts.stateChosen : digit === '0' ? texts.stateFree : taken;
          const label = seatLabelOf(section, index);
          const name = nameOf({ hall, currency }, seatId);
          return (
            <button
              key={seatId}
              type="button"
              aria-pressed={isChosen}
              disabled={digit !== '0' && !isChosen}
              class={isMine ? 'mine' : undefined}
              aria-label={`${label}: ${name}, ${state}`}
              onClick={() => onChoose(seatId)}
            >
              {label}
            </button>
          );
        })}
      </fieldset>
    </div>
  );
}
