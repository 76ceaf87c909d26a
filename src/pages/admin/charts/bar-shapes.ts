/** The arithmetic of a chart of bars: groups side by side, each with one bar for each series. */
import { topOf } from './chart-path.ts';

export interface Bar {
  series: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What stays free of a group's width. */
const GAP = 0.25;

/** `groups`: the values of each group, one for each series. */
export function toBars(
  groups: readonly (readonly number[])[],
  { width, height }: { width: number; height: number },
): { bars: Bar[]; top: number } {
  const top = topOf(groups);
  const wide = width / Math.max(1, groups.length);
  const bars = groups.flatMap((values, group) =>
    values.map((value, series) => {
      const each = (wide * (1 - GAP)) / values.length;
      const tall = round((Math.max(0, value) / top) * height);
      const x = round(group * wide + (wide * GAP) / 2 + series * each);
      return { series, x, y: round(height - tall), width: round(each), height: tall };
    }),
  );
  return { bars, top };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
