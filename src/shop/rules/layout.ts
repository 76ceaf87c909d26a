/** The layout of a venue: sections with rows of seats or with tables, and standing tickets by type. */
import { type Static, Type } from 'typebox';
import type { FieldProblem } from '../../http/field-problem.ts';
import { MARK_PATTERN, toMark, toMarkedSeats } from './seat-marks.ts';

export const MAX_SEATS = 60_000;
export const MAX_PRICE = 100_000_000;
/** Of the map, in seats. */
const MAX_PLACE = 2_000;

const Id = Type.String({ pattern: '^[A-Za-z0-9_]{1,16}$', description: 'letters, digits and _, 16 at most' });
const Name = Type.String({ minLength: 1, maxLength: 100 });
const Price = Type.Integer({ minimum: 0, maximum: MAX_PRICE, description: 'in the smallest unit of the currency' });
const Place = Type.Number({ minimum: -MAX_PLACE, maximum: MAX_PLACE });
const marks = (description: string) =>
  Type.Array(Type.String({ pattern: MARK_PATTERN }), {
    maxItems: 2_000,
    description: `${description}; 3-7 is seat 7 of row 3, 3-1..4 are seats 1 to 4 of row 3`,
  });

/** Where a section lies on the map, how it is shaped and how its seats are called. Without any of it: a rectangle, placed automatically. */
const shape = {
  kind: Type.Union([Type.Literal('rows'), Type.Literal('table')], {
    description: 'rows (default), or table: each row is one table with its seats around it',
  }),
  at: Type.Object(
    { x: Place, y: Place },
    {
      additionalProperties: false,
      description:
        'the middle of the section on the map, in seat widths; the stage is at the top. All sections have it or none',
    },
  ),
  rotate: Type.Number({ minimum: -180, maximum: 180, description: 'degrees, clockwise around the middle' }),
  curve: Type.Number({
    minimum: 0,
    maximum: 180,
    description: 'degrees of the arc of the front row, which bends around the stage; 0: straight rows',
  }),
  across: Type.Integer({ minimum: 1, maximum: 100, description: 'of a section of tables: how many side by side' }),
  blocked: marks('seats that do not exist or are never sold'),
  wheelchair: marks('wheelchair spaces'),
  companion: marks('seats for companions of wheelchair users'),
  rowLabels: Type.Array(Type.String({ minLength: 1, maxLength: 8 }), {
    maxItems: 1_000,
    description: 'the label of each row or table; default: 1, 2, 3, …',
  }),
  firstSeat: Type.Integer({
    minimum: 0,
    maximum: 9_000,
    description: 'the label of the first seat of each row; default 1',
  }),
  view: Type.String({
    pattern: '^(https://|/(?!/))[^\\s]{0,500}$',
    description: 'picture of the view from the section: an https URL, or a path on this site',
  }),
};

export const Section = Type.Object(
  {
    id: Id,
    name: Name,
    rows: Type.Integer({ minimum: 1, maximum: 1_000 }),
    seatsPerRow: Type.Integer({ minimum: 1, maximum: 1_000 }),
    price: Price,
    ...Type.Partial(Type.Object(shape)).properties,
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

/** The seats that can be sold. */
export function countSeats({ rows, seatsPerRow, blocked }: Section): number {
  return rows * seatsPerRow - toMarkedSeats(blocked).size;
}

export type LayoutProblem = FieldProblem;

/** Rules across fields, which the schema cannot express. */
export function problemsOf({ sections, standing }: LayoutBody): LayoutProblem[] {
  const seats = sections.reduce((sum, { rows, seatsPerRow }) => sum + rows * seatsPerRow, 0);
  const problems: LayoutProblem[] = [];
  if (seats > MAX_SEATS) {
    const message = `sections have ${seats} seats in total; the maximum is ${MAX_SEATS}`;
    problems.push({ field: 'sections', message, rule: 'maxSeats', limit: MAX_SEATS });
  }
  if (seats === 0 && standing.length === 0) {
    const message = 'sections and standing are both empty; add at least one';
    problems.push({ field: 'sections', message, rule: 'empty' });
  }
  for (const [field, items] of Object.entries({ sections, standing })) {
    const ids = items.map(({ id }) => id);
    const twice = ids.find((id, index) => ids.indexOf(id) < index);
    if (twice !== undefined) {
      problems.push({ field, message: `${field} has the id ${twice} twice`, rule: 'twice', limit: twice });
    }
  }
  const hasPlaces = sections.some(({ at }) => at !== undefined);
  for (const [index, section] of sections.entries()) {
    for (const [name, message] of problemsOfSection(section, hasPlaces)) {
      const field = `sections.${index}.${name}`;
      problems.push({ field, message: `${field} ${message}` });
    }
  }
  return problems;
}

type SectionProblem = [name: keyof Section, message: string];

function problemsOfSection(section: Section, hasPlaces: boolean): SectionProblem[] {
  const { rows, kind, curve, across, at, rowLabels } = section;
  const problems: SectionProblem[] = [];
  if (hasPlaces && at === undefined) problems.push(['at', 'is required, because other sections have it']);
  if (kind === 'table' && curve !== undefined) problems.push(['curve', 'does not apply to tables']);
  if (kind !== 'table' && across !== undefined) problems.push(['across', 'applies to tables only']);
  if (rowLabels !== undefined && rowLabels.length !== rows) {
    problems.push(['rowLabels', `has ${rowLabels.length} labels; expected one for each of the ${rows} rows`]);
  }
  const twice = rowLabels?.find((label, index) => rowLabels.indexOf(label) < index);
  if (twice !== undefined) problems.push(['rowLabels', `has ${twice} twice`]);
  return [...problems, ...problemsOfMarks(section)];
}

function problemsOfMarks(section: Section): SectionProblem[] {
  const problems: SectionProblem[] = [];
  const usedBy = new Map<string, string>();
  for (const name of ['blocked', 'wheelchair', 'companion'] as const) {
    const outside = section[name]?.find((text) => isOutside(text, section));
    if (outside !== undefined) {
      problems.push([
        name,
        `has ${outside}, which is not in the section (${section.rows} rows of ${section.seatsPerRow})`,
      ]);
      continue;
    }
    const seats = [...toMarkedSeats(section[name])];
    const shared = seats.find((seat) => usedBy.has(seat));
    if (shared !== undefined) problems.push([name, `has ${shared}, which is in ${usedBy.get(shared)} too`]);
    for (const seat of seats) usedBy.set(seat, name);
  }
  const isAllBlocked = problems.length === 0 && countSeats(section) === 0;
  return isAllBlocked ? [['blocked', 'has all seats of the section; remove the section instead']] : problems;
}

function isOutside(text: string, { rows, seatsPerRow }: Section): boolean {
  const { row, first, last } = toMark(text);
  return row > rows || last < first || last > seatsPerRow;
}
