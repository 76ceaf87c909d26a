/** The seat map of an event in a compact form: one string per row, one digit per seat. */
import { type Static, Type } from 'typebox';
import { countSeats, Section, toSeatId } from './layout.ts';
import { toMarkedSeats } from './seat-marks.ts';

export type SeatState = 'free' | 'held' | 'sold';

export const SEAT_DIGITS: Readonly<Record<SeatState, string>> = { free: '0', held: '1', sold: '2' };
/** A seat that does not exist or is never sold. */
export const BLOCKED_DIGIT = '3';

export const SeatMapAnswer = Type.Object(
  {
    eventId: Type.String(),
    currency: Type.String(),
    seatIds: Type.Literal('section-row-number'),
    states: Type.Record(Type.String(), Type.String(), { description: 'the meaning of each digit' }),
    total: Type.Integer(),
    remaining: Type.Integer(),
    sections: Type.Array(
      Type.Object({
        ...Section.properties,
        seats: Type.Array(Type.String(), { description: 'one string per row, one digit per seat' }),
      }),
    ),
  },
  { title: 'SeatMap' },
);
export type SeatMapAnswer = Static<typeof SeatMapAnswer>;

export interface SeatMapParts {
  eventId: string;
  currency: string;
  sections: readonly Section[];
  /** By seat id; all others are free. */
  states: ReadonlyMap<string, SeatState>;
}

/** Seat ids are `section-row-number`, with rows and numbers from 1, so the map need not list them. */
export function renderSeatMap({ eventId, currency, sections, states }: SeatMapParts): string {
  const taken = [...states.values()].filter((state) => state !== 'free').length;
  const total = sections.reduce((sum, section) => sum + countSeats(section), 0);
  const map: SeatMapAnswer = {
    eventId,
    currency,
    seatIds: 'section-row-number',
    states: { '0': 'free', '1': 'held', '2': 'sold', [BLOCKED_DIGIT]: 'blocked' },
    total,
    remaining: total - taken,
    sections: sections.map((section) => ({ ...section, seats: rowsOf(section, states) })),
  };
  return JSON.stringify(map);
}

function rowsOf(section: Section, states: ReadonlyMap<string, SeatState>): string[] {
  const { id, rows, seatsPerRow } = section;
  const blocked = toMarkedSeats(section.blocked);
  return Array.from({ length: rows }, (_, row) => {
    let digits = '';
    for (let number = 1; number <= seatsPerRow; number += 1) {
      if (blocked.has(`${row + 1}-${number}`)) digits += BLOCKED_DIGIT;
      else digits += SEAT_DIGITS[states.get(toSeatId(id, row + 1, number)) ?? 'free'];
    }
    return digits;
  });
}
