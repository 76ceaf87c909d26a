/**
 * Seats of a section named in its layout: `3-7` is seat 7 of row 3, `3-1..4` are seats 1 to 4 of row 3. Rows and seats count
 * from 1, whatever their labels are. No schema here: the pages use it too.
 */
export const MARK_PATTERN = '^[1-9][0-9]{0,3}-[1-9][0-9]{0,3}(\\.\\.[1-9][0-9]{0,3})?$';

export interface Mark {
  row: number;
  first: number;
  last: number;
}

/** Expects a text that matches MARK_PATTERN. */
export function toMark(text: string): Mark {
  const [row, seats] = text.split('-') as [string, string];
  const [first, last = first] = seats.split('..') as [string, string?];
  return { row: Number(row), first: Number(first), last: Number(last) };
}

/** The marked seats as `row-number`. */
export function toMarkedSeats(marks: readonly string[] = []): Set<string> {
  const seats = new Set<string>();
  for (const { row, first, last } of marks.map(toMark)) {
    for (let number = first; number <= last; number += 1) seats.add(`${row}-${number}`);
  }
  return seats;
}
