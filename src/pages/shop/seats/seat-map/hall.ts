/** Places the sections of a hall on its map, and finds seats on it. Lengths are in seats: neighbouring seats are 1 apart. */
import { toMarkedSeats } from '../../../../shop/rules/seat-marks.ts';
import type { SeatMapAnswer } from '../../shared/wire.ts';
import { type SectionShape, shapeOf } from './section-shape.ts';

export type Section = SeatMapAnswer['sections'][number];
export type Access = 'wheelchair' | 'companion';

/** A section in its place: all coordinates are those of the hall. */
export interface Block extends SectionShape {
  section: Section;
  /** By `row-number`, from 1. */
  access: ReadonlyMap<string, Access>;
}

export interface Point {
  x: number;
  y: number;
}

export interface Hall {
  width: number;
  height: number;
  blocks: Block[];
  stage: { x: number; y: number; width: number; height: number };
}

const AISLE = 3;
/** Space above a section for its name. */
const LABEL = 3.5;
const STAGE_HEIGHT = 4;
const MARGIN = 2;
/** Width to depth of a hall. */
const SHAPE = 1.25;
const BLOCKED = '3';

export function layOutHall(sections: readonly Section[]): Hall {
  const shapes = sections.map((section): Placed => ({ section, shape: shapeOf(section) }));
  const isPlaced = sections.length > 0 && sections.every(({ at }) => at !== undefined);
  const { blocks, width, height } = isPlaced ? placeAsGiven(shapes) : placeInTiers(shapes);
  const stageWidth = width * 0.5;
  const stage = { x: (width - stageWidth) / 2, y: MARGIN, width: stageWidth, height: STAGE_HEIGHT };
  return { width, height, blocks, stage };
}

interface Placed {
  section: Section;
  shape: SectionShape;
}
type Plan = Pick<Hall, 'blocks' | 'width' | 'height'>;

/** The stage stands above the sections. */
function placeAsGiven(shapes: readonly Placed[]): Plan {
  const sides = shapes.map(({ section: { at }, shape: { bounds } }) => ({
    left: at!.x + bounds.left,
    right: at!.x + bounds.right,
    top: at!.y + bounds.top,
    bottom: at!.y + bounds.bottom,
  }));
  const left = Math.min(...sides.map((side) => side.left)) - MARGIN;
  const top = Math.min(...sides.map((side) => side.top)) - MARGIN - STAGE_HEIGHT - LABEL;
  return {
    blocks: shapes.map(({ section, shape }) => toBlock(section, shape, section.at!.x - left, section.at!.y - top)),
    width: Math.max(...sides.map((side) => side.right)) + MARGIN - left,
    height: Math.max(...sides.map((side) => side.bottom)) + MARGIN - top,
  };
}

/** Side by side in the listed order, centred, in as many tiers as give the hall its shape. */
function placeInTiers(shapes: readonly Placed[]): Plan {
  const tiers = toTiers(shapes);
  const width = Math.max(...tiers.map(widthOfTier), 1) + 2 * MARGIN;
  const blocks: Block[] = [];
  let y = MARGIN + STAGE_HEIGHT;
  for (const tier of tiers) {
    let x = (width - widthOfTier(tier)) / 2;
    for (const { section, shape } of tier) {
      blocks.push(toBlock(section, shape, x - shape.bounds.left, y + LABEL - shape.bounds.top));
      x += widthOf(shape) + AISLE;
    }
    y += LABEL + Math.max(...tier.map(({ shape }) => heightOf(shape)));
  }
  return { blocks, width, height: y + MARGIN };
}

function toTiers(shapes: readonly Placed[]): Placed[][] {
  const area = shapes.reduce((sum, { shape }) => sum + (heightOf(shape) + LABEL) * (widthOf(shape) + AISLE), 0);
  const most = Math.max(Math.sqrt(area * SHAPE), ...shapes.map(({ shape }) => widthOf(shape)));
  const tiers: Placed[][] = [];
  for (const placed of shapes) {
    const last = tiers.at(-1);
    if (last !== undefined && widthOfTier([...last, placed]) <= most) last.push(placed);
    else tiers.push([placed]);
  }
  return tiers;
}

function widthOfTier(tier: readonly Placed[]): number {
  return tier.reduce((sum, { shape }) => sum + widthOf(shape), 0) + (tier.length - 1) * AISLE;
}

function widthOf({ bounds }: SectionShape): number {
  return bounds.right - bounds.left;
}

function heightOf({ bounds }: SectionShape): number {
  return bounds.bottom - bounds.top;
}

function toBlock(section: Section, shape: SectionShape, x: number, y: number): Block {
  const { label, bounds, tableRadius } = shape;
  const move = (places: Float32Array) => places.map((value, index) => value + (index % 2 === 0 ? x : y));
  const access = new Map<string, Access>();
  for (const use of ['wheelchair', 'companion'] as const) {
    for (const seat of toMarkedSeats(section[use])) access.set(seat, use);
  }
  return {
    section,
    access,
    places: move(shape.places),
    tables: shape.tables && move(shape.tables),
    tableRadius,
    label: { x: label.x + x, y: label.y + y },
    bounds: { left: bounds.left + x, right: bounds.right + x, top: bounds.top + y, bottom: bounds.bottom + y },
  };
}

export interface SeatAt {
  block: Block;
  /** Row and number count from 0. */
  row: number;
  number: number;
}

export function placeOf({ block: { section, places }, row, number }: SeatAt): Point {
  const at = (row * section.seatsPerRow + number) * 2;
  return { x: places[at]!, y: places[at + 1]! };
}

/** Neither blocked nor outside the section. */
export function isSeat({ block: { section }, row, number }: SeatAt): boolean {
  const digit = section.seats[row]?.[number];
  return digit !== undefined && digit !== BLOCKED;
}

/** A seat is hit within half a seat of its middle, in both directions. */
export function findSeatAt({ blocks }: Hall, x: number, y: number): SeatAt | undefined {
  let found: SeatAt | undefined;
  let nearest = Infinity;
  for (const block of blocks) {
    const { left, right, top, bottom } = block.bounds;
    if (x < left || x > right || y < top || y > bottom) continue;
    forEachSeat(block, (row, number, seatX, seatY) => {
      const [dx, dy] = [Math.abs(seatX - x), Math.abs(seatY - y)];
      const distance = dx * dx + dy * dy;
      if (dx > 0.5 || dy > 0.5 || distance >= nearest) return;
      nearest = distance;
      found = { block, row, number };
    });
  }
  return found;
}

/** The seat an arrow key moves to: the nearest one in that direction, across sections; seats beside the line count as farther. */
export function findNeighbour(hall: Hall, from: SeatAt, dx: number, dy: number): SeatAt {
  const { x, y } = placeOf(from);
  let found = from;
  let best = Infinity;
  for (const block of hall.blocks) {
    forEachSeat(block, (row, number, seatX, seatY) => {
      const ahead = (seatX - x) * dx + (seatY - y) * dy;
      const aside = Math.abs((seatX - x) * dy - (seatY - y) * dx);
      if (ahead < 0.3 || aside > ahead) return;
      const far = ahead + 3 * aside;
      if (far >= best) return;
      best = far;
      found = { block, row, number };
    });
  }
  return found;
}

/** All seats but the blocked ones, with their middles. */
export function forEachSeat(
  { section: { rows, seatsPerRow, seats }, places }: Block,
  visit: (row: number, number: number, x: number, y: number, digit: string) => void,
): void {
  for (let row = 0, at = 0; row < rows; row += 1) {
    const digits = seats[row]!;
    for (let number = 0; number < seatsPerRow; number += 1, at += 2) {
      const digit = digits[number]!;
      if (digit !== BLOCKED) visit(row, number, places[at]!, places[at + 1]!, digit);
    }
  }
}

export function toSeatId({ block, row, number }: SeatAt): string {
  return `${block.section.id}-${row + 1}-${number + 1}`;
}

export function findSeat({ blocks }: Hall, seatId: string): SeatAt | undefined {
  const [id, row, number] = seatId.split('-');
  const block = blocks.find(({ section }) => section.id === id);
  const seat = block && { block, row: Number(row) - 1, number: Number(number) - 1 };
  return seat && isSeat(seat) ? seat : undefined;
}

export function accessOf({ block, row, number }: SeatAt): Access | undefined {
  return block.access.get(`${row + 1}-${number + 1}`);
}

/** How a row or table is called; `row` counts from 0. */
export function rowLabelOf({ rowLabels }: Section, row: number): string {
  return rowLabels?.[row] ?? String(row + 1);
}

/** How a seat is called; `number` counts from 0. */
export function seatLabelOf({ firstSeat = 1 }: Section, number: number): string {
  return String(number + firstSeat);
}
