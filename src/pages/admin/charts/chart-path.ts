/** Geometry of a line chart. */
export interface Frame {
  from: number;
  to: number;
  /** The value at the top of the chart. */
  top: number;
  width: number;
  height: number;
}

const LONGEST_MS = 900_000;
const SHORTEST_MS = 60_000;

/** From the first point to the last, at least one minute and at most `longestMs`. */
export function spanOf(at: readonly number[], longestMs = LONGEST_MS): { from: number; to: number } {
  const to = at.at(-1) ?? 0;
  const first = at[0] ?? to;
  return { from: Math.min(Math.max(first, to - longestMs), to - SHORTEST_MS), to };
}

const MINUTE_MS = 60_000;
const STEPS_MS = [0.25, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440].map((minutes) => minutes * MINUTE_MS);
const MOST_TICKS = 5;

/** Round times for the axis. `zoneMs`: how far local time is ahead of UTC, so that hours are those of the reader. */
export function ticksOf({ from, to }: { from: number; to: number }, zoneMs = 0): number[] {
  const step = STEPS_MS.find((one) => (to - from) / one <= MOST_TICKS) ?? Math.ceil((to - from) / MOST_TICKS);
  const first = Math.ceil((from + zoneMs) / step) * step - zoneMs;
  return Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, i) => first + i * step);
}

/** The index of the point closest to a time; -1 without points. */
export function nearestTo(at: readonly number[], time: number): number {
  let best = -1;
  at.forEach((one, i) => {
    if (best === -1 || Math.abs(one - time) <= Math.abs(at[best]! - time)) best = i;
  });
  return best;
}

/** The smallest of 1, 2, 5, 10, 20, 50 … that no value exceeds. */
export function topOf(columns: readonly (readonly (number | null)[])[]): number {
  const most = Math.max(1, ...columns.flatMap((column) => column.map((value) => value ?? 0)));
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 5, 10].map((step) => step * power).find((top) => top >= most)!;
}

/** An SVG path. It breaks at unknown values; a point between two gaps is drawn as a dot. */
export function toPath(at: readonly number[], values: readonly (number | null)[], frame: Frame): string {
  const { from, to, top, width, height } = frame;
  let path = '';
  let isDrawing = false;
  at.forEach((time, i) => {
    const value = values[i] ?? null;
    if (time < from || value === null) {
      isDrawing = false;
      return;
    }
    const x = round(((time - from) / (to - from)) * width);
    const y = round(height - (Math.min(value, top) / top) * height);
    path += isDrawing ? `L${x} ${y}` : `M${x} ${y}h0`;
    isDrawing = true;
  });
  return path;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
