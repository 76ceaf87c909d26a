/** Where the seats of a layout lie, in seat widths. The stage is at the top; y grows away from it. Pure. */
import type { LayoutBody, Section } from '../../../../shop/rules/layout.ts';

export interface Point {
  x: number;
  y: number;
}
export interface SeatPlace extends Point {
  row: number;
  number: number;
}
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

type Drawable = Pick<LayoutBody, 'sections' | 'standing'>;

/** The stage and what is between it and the first section. */
const FRONT = 3;
const GAP = 2.5;
const STANDING_WIDTH = 18;
const STANDING_HEIGHT = 5;
const TABLE_GAP = 1.5;
const SEAT_REACH = 0.5;

/** Around the middle of the section, before it is rotated. */
export function seatPlaces(section: Section): SeatPlace[] {
  const places = section.kind === 'table' ? tablePlaces(section) : rowPlaces(section);
  const { left, top, right, bottom } = boxOf(places);
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return places.map((place) => ({ ...place, x: place.x - x, y: place.y - y }));
}

/** Straight rows, or arcs around one point in front of them: the front row spans `curve` degrees. */
function rowPlaces({ rows, seatsPerRow, curve = 0 }: Section): SeatPlace[] {
  const arc = (curve * Math.PI) / 180;
  const radius = arc === 0 ? 0 : Math.max(1, seatsPerRow - 1) / arc;
  return eachSeat(rows, seatsPerRow, (row, number) => {
    const middle = number - (seatsPerRow + 1) / 2;
    if (arc === 0) return { x: middle, y: row };
    const angle = seatsPerRow === 1 ? 0 : (middle / (seatsPerRow - 1)) * arc;
    const distance = radius + row - 1;
    return { x: distance * Math.sin(angle), y: distance * Math.cos(angle) };
  });
}

/** Each row is a table with its seats around it; tables stand in a grid. */
function tablePlaces({ rows, seatsPerRow, across = Math.ceil(Math.sqrt(rows)) }: Section): SeatPlace[] {
  const radius = tableRadius(seatsPerRow);
  const step = 2 * radius + TABLE_GAP;
  return eachSeat(rows, seatsPerRow, (row, number) => {
    const angle = ((number - 1) / seatsPerRow) * 2 * Math.PI - Math.PI / 2;
    const [column, line] = [(row - 1) % across, Math.floor((row - 1) / across)];
    return { x: column * step + radius * Math.cos(angle), y: line * step + radius * Math.sin(angle) };
  });
}

export function tableRadius(seats: number): number {
  return Math.max(1, seats / (2 * Math.PI) + 0.2);
}

function eachSeat(rows: number, seats: number, place: (row: number, number: number) => Point): SeatPlace[] {
  const places: SeatPlace[] = [];
  for (let row = 1; row <= rows; row += 1) {
    for (let number = 1; number <= seats; number += 1) places.push({ row, number, ...place(row, number) });
  }
  return places;
}

/** From the section's own coordinates to the map. */
export function toMap({ at = { x: 0, y: 0 }, rotate = 0 }: Section, { x, y }: Point): Point {
  const angle = (rotate * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return { x: at.x + x * cos - y * sin, y: at.y + x * sin + y * cos };
}

/** The seat at a point of the map, if there is one. */
export function seatAt(section: Section, point: Point): SeatPlace | undefined {
  const { x, y } = toMap({ ...section, at: { x: 0, y: 0 }, rotate: -(section.rotate ?? 0) }, minus(point, section.at));
  return seatPlaces(section).find((place) => Math.hypot(place.x - x, place.y - y) <= SEAT_REACH);
}

function minus(point: Point, { x, y }: Point = { x: 0, y: 0 }): Point {
  return { x: point.x - x, y: point.y - y };
}

/** On the map, with half a seat around it. */
export function sectionBox(section: Section): Box {
  const { left, top, right, bottom } = boxOf(seatPlaces(section).map((place) => toMap(section, place)));
  return { left: left - SEAT_REACH, top: top - SEAT_REACH, right: right + SEAT_REACH, bottom: bottom + SEAT_REACH };
}

/** Standing areas have no place in a layout: they are drawn side by side in front of the stage. */
export function standingBoxes({ standing }: Pick<LayoutBody, 'standing'>): Box[] {
  const width = standing.length * STANDING_WIDTH + Math.max(0, standing.length - 1);
  return standing.map((_, index) => {
    const left = index * (STANDING_WIDTH + 1) - width / 2;
    return { left, top: FRONT, right: left + STANDING_WIDTH, bottom: FRONT + STANDING_HEIGHT };
  });
}

/** Gives sections without a place one: below each other, in their order. */
export function placeAll<T extends Drawable>(layout: T): T {
  if (layout.sections.every(({ at }) => at !== undefined)) return layout;
  let y = FRONT + (layout.standing.length > 0 ? STANDING_HEIGHT + GAP : 0);
  const sections = layout.sections.map((section) => {
    const { top, bottom } = sectionBox({ ...section, at: { x: 0, y: 0 } });
    const height = bottom - top;
    const at = { x: 0, y: toHalf(y + height / 2) };
    y += height + GAP;
    return { ...section, at };
  });
  return { ...layout, sections };
}

/** Below everything that is there. */
export function freePlace(layout: Drawable, section: Section): Point {
  const { bottom } = layoutBox(layout);
  const { top, bottom: end } = sectionBox({ ...section, at: { x: 0, y: 0 } });
  return { x: 0, y: toHalf(bottom + GAP + (end - top) / 2) };
}

/** Everything with the stage. */
export function layoutBox(layout: Drawable): Box {
  const stage = { left: -8, top: 0, right: 8, bottom: FRONT };
  return [stage, ...standingBoxes(layout), ...layout.sections.map(sectionBox)].reduce(join);
}

export function toHalf(value: number): number {
  return Math.round(value * 2) / 2;
}

function boxOf(points: readonly Point[]): Box {
  return points.reduce<Box>((box, { x, y }) => join(box, { left: x, top: y, right: x, bottom: y }), {
    left: Number.POSITIVE_INFINITY,
    top: Number.POSITIVE_INFINITY,
    right: Number.NEGATIVE_INFINITY,
    bottom: Number.NEGATIVE_INFINITY,
  });
}

function join(a: Box, b: Box): Box {
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  };
}
