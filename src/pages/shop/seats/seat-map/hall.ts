/** Places the sections of a hall on its map. Lengths are in seats: neighbouring seats are 1 apart. */
import type { SeatMapAnswer } from '../../shared/wire.ts';

export type Section = SeatMapAnswer['sections'][number];

export interface Block {
  section: Section;
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

/** Puts sections side by side in the listed order, centred, in as many tiers as give the hall this shape. */
export function layOutHall(sections: readonly Section[]): Hall {
  const tiers = toTiers(sections);
  const width = Math.max(...tiers.map(widthOf), 1) + 2 * MARGIN;
  const blocks: Block[] = [];
  let y = MARGIN + STAGE_HEIGHT;
  for (const tier of tiers) {
    let x = (width - widthOf(tier)) / 2;
    for (const section of tier) {
      blocks.push({ section, x, y: y + LABEL });
      x += section.seatsPerRow + AISLE;
    }
    y += LABEL + Math.max(...tier.map(({ rows }) => rows));
  }
  const stageWidth = width * 0.5;
  const stage = { x: (width - stageWidth) / 2, y: MARGIN, width: stageWidth, height: STAGE_HEIGHT };
  return { width, height: y + MARGIN, blocks, stage };
}

function toTiers(sections: readonly Section[]): Section[][] {
  const area = sections.reduce((sum, { rows, seatsPerRow }) => sum + (rows + LABEL) * (seatsPerRow + AISLE), 0);
  const most = Math.max(Math.sqrt(area * SHAPE), ...sections.map(({ seatsPerRow }) => seatsPerRow));
  const tiers: Section[][] = [];
  for (const section of sections) {
    const last = tiers.at(-1);
    if (last !== undefined && widthOf([...last, section]) <= most) last.push(section);
    else tiers.push([section]);
  }
  return tiers;
}

function widthOf(tier: readonly Section[]): number {
  return tier.reduce((sum, { seatsPerRow }) => sum + seatsPerRow, 0) + (tier.length - 1) * AISLE;
}

export interface SeatAt {
  block: Block;
  /** Row and number count from 0. */
  row: number;
  number: number;
}

export function findSeatAt({ blocks }: Hall, x: number, y: number): SeatAt | undefined {
  for (const block of blocks) {
    const [number, row] = [Math.floor(x - block.x), Math.floor(y - block.y)];
    const { rows, seatsPerRow } = block.section;
    if (number >= 0 && row >= 0 && number < seatsPerRow && row < rows) return { block, row, number };
  }
  return undefined;
}

/** The seat an arrow key moves to: the next one in that direction, across sections. */
export function findNeighbour(hall: Hall, { block, row, number }: SeatAt, dx: number, dy: number): SeatAt {
  const [x, y] = [block.x + number + 0.5, block.y + row + 0.5];
  const steps = Math.ceil(Math.max(hall.width, hall.height));
  for (let step = 1; step <= steps; step += 1) {
    const found = findSeatAt(hall, x + dx * step, y + dy * step);
    if (found !== undefined) return found;
  }
  return { block, row, number };
}

export function toSeatId({ block, row, number }: SeatAt): string {
  return `${block.section.id}-${row + 1}-${number + 1}`;
}

export function findSeat({ blocks }: Hall, seatId: string): SeatAt | undefined {
  const [id, row, number] = seatId.split('-');
  const block = blocks.find(({ section }) => section.id === id);
  return block && { block, row: Number(row) - 1, number: Number(number) - 1 };
}
