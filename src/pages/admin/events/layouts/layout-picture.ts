/** Draws a layout as SVG: the stage, standing areas and seats. Seats are one path per kind, so that thousands stay cheap. */
import type { LayoutBody, Section } from '../../../../shop/rules/layout.ts';
import { toMarkedSeats } from '../../../../shop/rules/seat-marks.ts';
import { draw } from '../../controls/dom.ts';
import { marks, type SeatKind } from './layout-edits.ts';
import {
  type Box,
  layoutBox,
  type Point,
  seatPlaces,
  sectionBox,
  standingBoxes,
  tableRadius,
  toMap,
} from './layout-geometry.ts';

type Drawable = Pick<LayoutBody, 'sections' | 'standing'>;

const SEAT_RADIUS = 0.36;
/** From here on seats are drawn as lines along their rows. */
const MOST_SEATS = 4_000;
const MARGIN = 2;

export function viewBoxOf(layout: Drawable): { x: number; y: number; width: number; height: number } {
  const { left, top, right, bottom } = layoutBox(layout);
  const half = Math.max(-left, right) + MARGIN;
  return { x: -half, y: top - MARGIN, width: 2 * half, height: bottom - top + 2 * MARGIN };
}

export function stageShape(says: string): SVGElement[] {
  return [
    draw('rect', { class: 'stage', x: -8, y: 0, width: 16, height: 2.2, rx: 0.6 }),
    writing(says, { x: 0, y: 1.1 }, 'map-name', 1.1),
  ];
}

export function standingShapes({ standing }: Drawable): SVGElement[][] {
  return standingBoxes({ standing }).map((box, index) => [
    rectOf(box, 'standing-area'),
    writing(standing[index]!.name, middleOf(box), 'map-name', 1.2),
  ]);
}

/** The seats of a section on the map, its tables and its name. */
export function sectionShapes(section: Section): SVGElement[] {
  const box = sectionBox(section);
  const size = Math.min(2, Math.max(0.9, (box.right - box.left) / 12));
  return [
    ...(section.kind === 'table' ? [tablesOf(section)] : []),
    ...seatPaths(section),
    writing(section.name, { x: (box.left + box.right) / 2, y: box.top - size * 0.7 }, 'map-name', size),
  ];
}

function seatPaths(section: Section): SVGElement[] {
  const places = seatPlaces(section).map((place) => ({ ...place, ...toMap(section, place) }));
  if (places.length > MOST_SEATS) return [rowLines(places)];
  const kinds = new Map(
    marks.flatMap((name) => [...toMarkedSeats(section[name])].map((seat) => [seat, name] as const)),
  );
  const paths = new Map<SeatKind, string>();
  for (const { row, number, x, y } of places) {
    const kind = kinds.get(`${row}-${number}`) ?? 'open';
    paths.set(kind, `${paths.get(kind) ?? ''}${kind === 'wheelchair' ? square({ x, y }) : circle({ x, y })}`);
  }
  return [...paths].map(([kind, d]) => draw('path', { class: `seat-${kind}`, d }));
}

function rowLines(places: readonly (Point & { row: number })[]): SVGElement {
  let last = 0;
  const d = places.map(({ row, x, y }) => {
    const start = row === last ? 'L' : 'M';
    last = row;
    return `${start}${round(x)} ${round(y)}`;
  });
  return draw('path', { class: 'seat-rows', d: d.join('') });
}

function tablesOf(section: Section): SVGElement {
  const seats = seatPlaces(section);
  const radius = tableRadius(section.seatsPerRow) - 0.5;
  const tables = Array.from({ length: section.rows }, (_, index) => {
    const own = seats.slice(index * section.seatsPerRow, (index + 1) * section.seatsPerRow);
    const sum = own.reduce((all, { x, y }) => ({ x: all.x + x, y: all.y + y }), { x: 0, y: 0 });
    return toMap(section, { x: sum.x / own.length, y: sum.y / own.length });
  });
  return draw('path', { class: 'table-top', d: tables.map((middle) => circle(middle, radius)).join('') });
}

export function circle({ x, y }: Point, radius = SEAT_RADIUS): string {
  const r = round(radius);
  return `M${round(x - radius)} ${round(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
}

function square({ x, y }: Point): string {
  const side = round(2 * SEAT_RADIUS);
  return `M${round(x - SEAT_RADIUS)} ${round(y - SEAT_RADIUS)}h${side}v${side}h${-side}z`;
}

export function rectOf({ left, top, right, bottom }: Box, className: string): SVGElement {
  return draw('rect', { class: className, x: left, y: top, width: right - left, height: bottom - top, rx: 0.8 });
}

function middleOf({ left, top, right, bottom }: Box): Point {
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

function writing(text: string, { x, y }: Point, className: string, size: number): SVGElement {
  const node = draw('text', {
    class: className,
    x: round(x),
    y: round(y),
    'text-anchor': 'middle',
    'dominant-baseline': 'central',
  });
  // In units of the map; as an attribute any rule of a style sheet would win.
  node.style.fontSize = `${round(size)}px`;
  node.textContent = text.slice(0, 40);
  return node;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
