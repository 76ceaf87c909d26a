/** Draws a chart for the terminal with block characters. */
const BLOCKS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const HEIGHT = 8;

export interface TextChart {
  title: string;
  /** Sorted by x. */
  points: readonly { x: number; y: number }[];
  formatX: (x: number) => string;
  formatY: (y: number) => string;
  columns: number;
}

export function drawTextChart({ title, points, formatX, formatY, columns }: TextChart): string {
  const top = points.reduce((most, { y }) => Math.max(most, y), 0);
  if (points.length === 0 || top === 0) return `${title}: ${formatY(0)}`;
  const labelWidth = Math.max(formatY(top).length, formatY(0).length);
  const width = Math.max(10, Math.min(columns, 110) - labelWidth - 3);
  const heights = resample(points, width).map((y) => Math.round((y / top) * HEIGHT * 8));
  const rows = Array.from({ length: HEIGHT }, (_, i) => {
    const floor = (HEIGHT - 1 - i) * 8;
    const cells = heights.map((height) => BLOCKS[Math.max(0, Math.min(8, height - floor))]).join('');
    const label = i === 0 ? formatY(top) : i === HEIGHT - 1 ? formatY(0) : '';
    return `${label.padStart(labelWidth)} │${cells}`;
  });
  const [first, last] = [formatX(points[0]!.x), formatX(points.at(-1)!.x)];
  const axis = `${' '.repeat(labelWidth)} └${'─'.repeat(width)}`;
  const legend = `${' '.repeat(labelWidth + 2)}${first}${last.padStart(Math.max(1, width - first.length))}`;
  return [title, ...rows, axis, legend].join('\n');
}

/** The highest value within each column, or the last known one. */
function resample(points: readonly { x: number; y: number }[], width: number): number[] {
  const [from, to] = [points[0]!.x, points.at(-1)!.x];
  const columns: (number | undefined)[] = new Array(width).fill(undefined);
  for (const { x, y } of points) {
    const column = to === from ? 0 : Math.min(width - 1, Math.floor(((x - from) / (to - from)) * width));
    columns[column] = Math.max(columns[column] ?? 0, y);
  }
  let last = 0;
  return columns.map((y) => {
    last = y ?? last;
    return last;
  });
}
