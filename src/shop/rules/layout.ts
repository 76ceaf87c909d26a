/** The layout of a venue: sections with rows of seats, and standing tickets by type. */
import { type Static, Type } from 'typebox';

export const MAX_SEATS = 60_000;
export const MAX_PRICE = 100_000_000;

const Id = Type.String({ pattern: '^[A-Za-z0-9_]{1,16}$', description: 'letters, digits and _, 16 at most' });
const Name = Type.String({ minLength: 1, maxLength: 100 });
const Price = Type.Integer({ minimum: 0, maximum: MAX_PRICE, description: 'in the smallest unit of the currency' });

export const Section = Type.Object(
  {
    id: Id,
    name: Name,
    rows: Type.Integer({ minimum: 1, maximum: 1_000 }),
    seatsPerRow: Type.Integer({ minimum: 1, maximum: 1_000 }),
    price: Price,
  },
  { additionalProperties: false },
);
export type Section = Static<typeof Section>;

export const Standing = Type.Object(
  { id: Id, name: Name, quantity: Type.Integer({ minimum: 1, maximum: 1_000_000 }), price: Price },
  { additionalProperties: false },
);
export type Standing = Static<typeof Standing>;

export const LayoutBody = Type.Object(
  {
    name: Name,
    sections: Type.Array(Section, { maxItems: 60 }),
    standing: Type.Array(Standing, { maxItems: 20 }),
  },
  { additionalProperties: false },
);
export type LayoutBody = Static<typeof LayoutBody>;

export interface Layout extends LayoutBody {
  layoutId: string;
}

/** The seat id in requests, in the database and on the map. */
export function toSeatId(section: string, row: number, number: number): string {
  return `${section}-${row}-${number}`;
}

export interface LayoutProblem {
  field: string;
  message: string;
}

/** Rules across fields, which the schema cannot express. */
export function problemsOf({ sections, standing }: LayoutBody): LayoutProblem[] {
  const seats = sections.reduce((sum, { rows, seatsPerRow }) => sum + rows * seatsPerRow, 0);
  const problems: LayoutProblem[] = [];
  if (seats > MAX_SEATS) {
    problems.push({ field: 'sections', message: `sections have ${seats} seats in total; the maximum is ${MAX_SEATS}` });
  }
  if (seats === 0 && standing.length === 0) {
    problems.push({ field: 'sections', message: 'sections and standing are both empty; add at least one' });
  }
  for (const [field, items] of Object.entries({ sections, standing })) {
    const ids = items.map(({ id }) => id);
    const twice = ids.find((id, index) => ids.indexOf(id) < index);
    if (twice !== undefined) problems.push({ field, message: `${field} has the id ${twice} twice` });
  }
  return problems;
}
