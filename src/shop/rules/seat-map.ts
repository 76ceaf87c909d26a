/** The seat map of an event in a compact form: one string per row, one digit per seat. */
import { type Static, Type } from 'typebox';
import { Section, toSeatId } from './layout.ts';

export type SeatState = 'free' | 'held' | 'sold';

export const SEAT_DIGITS: Readonly<Record<SeatState, string>> = { free: '0', held: '1', sold: '2' };

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
  const total = sections.reduce((sum, { rows, seatsPerRow }) => sum + rows * seatsPerRow, 0);
  const map: SeatMapAnswer = {
    eventId,
    currency,
    seatIds: 'section-row-number',
    states: { '0': 'free', '1': 'held', '2': 'sold' },
    total,
    remaining: total - taken,
    sections: sections.map((section) => ({ ...section, seats: rowsOf(section, states) })),
  };
  return JSON.stringify(map);
}

function rowsOf({ id, rows, seatsPerRow }: Section, states: ReadonlyMap<string, SeatState>): string[] {
  return Array.from({ length: rows }, (_, row) => {
    let digits = '';
    for (let number = 1; number <= seatsPerRow; number += 1) {
      digits += SEAT_DIGITS[states.get(toSeatId(id, row + 1, number)) ?? 'free'];
    }
    return digits;
  });
}
