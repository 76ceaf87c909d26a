/** Places the sections of a layout on its preview: one below the other, in the listed order. */
import type { LayoutBody } from '../../../../shop/rules/layout.ts';

export interface Block {
  x: number;
  y: number;
  width: number;
  height: number;
  label: string;
}

export interface Blocks {
  height: number;
  blocks: Block[];
}

const GAP = 6;
const LOWEST = 14;
const HIGHEST = 60;
const NARROWEST = 0.15;
const STANDING_HEIGHT = 18;

/** Width is proportional to seats per row, height to rows, within visible limits. */
export function toBlocks({ sections, standing }: Pick<LayoutBody, 'sections' | 'standing'>, width: number): Blocks {
  const widest = Math.max(1, ...sections.map(({ seatsPerRow }) => seatsPerRow));
  let y = 0;
  const place = (share: number, height: number, label: string): Block => {
    const block = { x: (width * (1 - share)) / 2, y, width: width * share, height, label };
    y += height + GAP;
    return block;
  };
  const blocks = [
    ...standing.map(({ name }) => place(1, STANDING_HEIGHT, name)),
    ...sections.map(({ name, rows, seatsPerRow }) =>
      place(Math.max(NARROWEST, seatsPerRow / widest), Math.min(HIGHEST, Math.max(LOWEST, rows * 2.5)), name),
    ),
  ];
  return { height: Math.max(0, y - GAP), blocks };
}

export function countSeats({ sections }: Pick<LayoutBody, 'sections'>): number {
  return sections.reduce((sum, { rows, seatsPerRow }) => sum + rows * seatsPerRow, 0);
}
