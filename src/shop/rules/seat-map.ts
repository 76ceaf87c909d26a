/** The map of an event's seats as one compact body: per row a text with one digit per seat. */
import { type Section, toSeatId } from './layout.ts';

export type SeatState = 'free' | 'held' | 'sold';

export const SEAT_DIGITS: Readonly<Record<SeatState, string>> = { free: '0', held: '1', sold: '2' };

export interface SeatMapParts {
  eventId: string;
  currency: string;
  sections: readonly Section[];
  /** Those that are not named are free. */
  states: ReadonlyMap<string, SeatState>;
}

/** Seats are named `section-row-number`, rows and numbers from 1, so that no seat has to be listed. */
export function renderSeatMap({ eventId, currency, sections, states }: SeatMapParts): string {
  const taken = [...states.values()].filter((state) => state !== 'free').length;
  const total = sections.reduce((sum, { rows, seatsPerRow }) => sum + rows * seatsPerRow, 0);
  return JSON.stringify({
    eventId,
    currency,
    seatIds: 'section-row-number',
    states: { '0': 'free', '1': 'held', '2': 'sold' },
    total,
    remaining: total - taken,
    sections: sections.map((section) => ({ ...section, seats: rowsOf(section, states) })),
  });
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
