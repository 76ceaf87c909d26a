/** Seat states: per section and row a string with one digit per seat, 0 for free. */
import type { Section } from './hall.ts';

export function isFree(sections: readonly Section[], seatId: string): boolean {
  const [id, row, number] = seatId.split('-');
  return sections.find((section) => section.id === id)?.seats[Number(row) - 1]?.[Number(number) - 1] === '0';
}

export function countFree(digits: string): number {
  let count = 0;
  for (const digit of digits) if (digit === '0') count += 1;
  return count;
}

export function setSeat(sections: readonly Section[], seatId: string, digit: string): void {
  const [id, row, number] = seatId.split('-');
  const seats = sections.find((section) => section.id === id)?.seats;
  const [at, place] = [Number(row) - 1, Number(number) - 1];
  const digits = seats?.[at];
  if (seats === undefined || digits === undefined) return;
  seats[at] = digits.slice(0, place) + digit + digits.slice(place + 1);
}

/** The seats that differ; undefined if the hall itself has changed. */
export function findDifferences(
  before: readonly Section[],
  after: readonly Section[],
): [seatId: string, digit: string][] | undefined {
  const isSame =
    before.length === after.length && before.every((section, index) => isSameShape(section, after[index]!));
  if (!isSame) return undefined;
  return after.flatMap(({ id, seats }, index) =>
    seats.flatMap((digits, row) => {
      const old = before[index]!.seats[row]!;
      if (digits === old) return [];
      return Array.from(digits, (digit, number): [string, string] => [`${id}-${row + 1}-${number + 1}`, digit]).filter(
        ([, digit], number) => digit !== old[number],
      );
    }),
  );
}

function isSameShape(one: Section, other: Section): boolean {
  return (
    one.id === other.id &&
    one.rows === other.rows &&
    one.seatsPerRow === other.seatsPerRow &&
    one.price === other.price &&
    one.name === other.name &&
    JSON.stringify({ ...one, seats: undefined }) === JSON.stringify({ ...other, seats: undefined })
  );
}
