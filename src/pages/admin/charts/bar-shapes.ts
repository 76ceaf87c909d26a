/** Geometry of a bar chart: groups side by side, one bar per series in each. */
import { topOf } from './chart-path.ts';

export interface Bar {
  series: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Share of a group's width that stays empty. */
const GAP = 0.25;

/** `groups`: for each group its values, one per series. */
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
