/** What the editor does to a layout. Pure: each takes a layout and returns a changed one. */
import type { LayoutBody, Section, Standing } from '../../../../shop/rules/layout.ts';
import { toMarkedSeats } from '../../../../shop/rules/seat-marks.ts';
import { freePlace, toHalf } from './layout-geometry.ts';

export const marks = ['blocked', 'wheelchair', 'companion'] as const;
export type MarkName = (typeof marks)[number];
export type SeatKind = MarkName | 'open';

const MAX_PLACE = 2_000;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

export function addSection(layout: LayoutBody, kind: 'rows' | 'table', nameOf: (id: string) => string): LayoutBody {
  const id = freeId(
    layout.sections.map((one) => one.id),
    kind === 'table' ? 'T' : '',
  );
  const shape = kind === 'table' ? { rows: 6, seatsPerRow: 6, kind } : { rows: 8, seatsPerRow: 16 };
  const price = layout.sections.at(-1)?.price ?? 0;
  const section: Section = { id, name: nameOf(id), price, ...shape };
  return { ...layout, sections: [...layout.sections, { ...section, at: freePlace(layout, section) }] };
}

export function addStanding(layout: LayoutBody, nameOf: (id: string) => string): LayoutBody {
  const id = freeId(
    layout.standing.map((one) => one.id),
    'S',
  );
  return { ...layout, standing: [...layout.standing, { id, name: nameOf(id), quantity: 100, price: 0 }] };
}

export function duplicate(layout: LayoutBody, index: number, nameOf: (id: string) => string): LayoutBody {
  const section = layout.sections[index];
  if (section === undefined) return layout;
  const id = freeId(
    layout.sections.map((one) => one.id),
    '',
  );
  const copy = { ...section, id, name: nameOf(id) };
  return { ...layout, sections: [...layout.sections, { ...copy, at: freePlace(layout, section) }] };
}

export function changeSection(layout: LayoutBody, index: number, change: Partial<Section>): LayoutBody {
  const sections = layout.sections.map((section, i) =>
    i === index ? withoutOutside(clean({ ...section, ...change }) as Section) : section,
  );
  return { ...layout, sections };
}

export function changeStanding(layout: LayoutBody, index: number, change: Partial<Standing>): LayoutBody {
  return { ...layout, standing: layout.standing.map((one, i) => (i === index ? { ...one, ...change } : one)) };
}

export function remove(layout: LayoutBody, kind: 'sections' | 'standing', index: number): LayoutBody {
  return { ...layout, [kind]: layout[kind].filter((_, i) => i !== index) };
}

export function moveSection(layout: LayoutBody, index: number, to: { x: number; y: number }): LayoutBody {
  const limit = (value: number) => Math.min(MAX_PLACE, Math.max(-MAX_PLACE, toHalf(value)));
  return changeSection(layout, index, { at: { x: limit(to.x), y: limit(to.y) } });
}

/** Degrees, kept within -180 and 180. */
export function rotateSection(layout: LayoutBody, index: number, by: number): LayoutBody {
  const turned = (layout.sections[index]?.rotate ?? 0) + by;
  return changeSection(layout, index, { rotate: ((((turned + 180) % 360) + 360) % 360) - 180 });
}

export function seatKind(section: Section, seat: string): SeatKind {
  return marks.find((name) => toMarkedSeats(section[name]).has(seat)) ?? 'open';
}

/** `seats` are `row-number`; a seat has one kind. */
export function markSeats(layout: LayoutBody, index: number, seats: readonly string[], kind: SeatKind): LayoutBody {
  const section = layout.sections[index];
  if (section === undefined) return layout;
  const change = Object.fromEntries(
    marks.map((name) => {
      const marked = toMarkedSeats(section[name]);
      for (const seat of seats) {
        if (name === kind) marked.add(seat);
        else marked.delete(seat);
      }
      return [name, marked.size === 0 ? undefined : toMarks(marked)];
    }),
  );
  return changeSection(layout, index, change as Partial<Section>);
}

/** Neighbours in a row become one mark: `3-1..4`. */
export function toMarks(seats: ReadonlySet<string>): string[] {
  const sorted = [...seats].map((seat) => seat.split('-').map(Number) as [number, number]);
  sorted.sort(([rowA, a], [rowB, b]) => rowA - rowB || a - b);
  const ranges: { row: number; first: number; last: number }[] = [];
  for (const [row, number] of sorted) {
    const last = ranges.at(-1);
    if (last?.row === row && last.last === number - 1) last.last = number;
    else ranges.push({ row, first: number, last: number });
  }
  return ranges.map(({ row, first, last }) => (first === last ? `${row}-${first}` : `${row}-${first}..${last}`));
}

/** Seats that a smaller section no longer has lose their marks. */
function withoutOutside(section: Section): Section {
  const { rows, seatsPerRow } = section;
  const isInside = (seat: string) => {
    const [row, number] = seat.split('-').map(Number) as [number, number];
    return row <= rows && number <= seatsPerRow;
  };
  const kept = marks.map((name) => [name, [...toMarkedSeats(section[name])].filter(isInside)] as const);
  return clean({
    ...section,
    ...Object.fromEntries(
      kept.map(([name, seats]) => [name, seats.length === 0 ? undefined : toMarks(new Set(seats))]),
    ),
  }) as Section;
}

/** Values that are the default are left out, as the schema expects. */
function clean(section: Record<string, unknown>): Record<string, unknown> {
  const isDefault = (name: string, value: unknown) =>
    value === undefined || value === '' || ((name === 'rotate' || name === 'curve') && value === 0);
  return Object.fromEntries(Object.entries(section).filter(([name, value]) => !isDefault(name, value)));
}

function freeId(taken: readonly string[], prefix: string): string {
  const letters = prefix === '' ? [...LETTERS] : [];
  const numbers = Array.from({ length: 100 }, (_, index) => `${prefix || 'A'}${index + 1}`);
  return [...letters, ...numbers].find((id) => !taken.includes(id)) ?? `${prefix}${taken.length + 1}`;
}
