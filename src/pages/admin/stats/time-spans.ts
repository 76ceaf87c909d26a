/** Fills gaps for charts: the statistics contain only the days and hours with activity. */
import type { Figures } from '../api/wire.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HOURS = 24;
const MOST_DAYS = 30;
/** A single bar would show no development. */
const FEWEST_DAYS = 7;

export type HourFigures = Figures & { hour: string };
export type DayFigures = Figures & { day: string };

/** The last 24 hours up to `now`; `figures` is undefined for hours without activity. */
export function toHours(known: readonly HourFigures[], now: number): { hour: number; figures: Figures | undefined }[] {
  const byHour = new Map(known.map((figures) => [Date.parse(figures.hour), figures]));
  const last = Math.floor(now / HOUR_MS) * HOUR_MS;
  return Array.from({ length: HOURS }, (_, i) => {
    const hour = last - (HOURS - 1 - i) * HOUR_MS;
    return { hour, figures: byHour.get(hour) };
  });
}

/** At least 7 and at most 30 days, up to the last day with activity. */
export function toDays(known: readonly DayFigures[]): { day: string; figures: Figures | undefined }[] {
  const byDay = new Map(known.map((figures) => [figures.day, figures]));
  const days = [...byDay.keys()].sort();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const span = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  const count = Math.min(MOST_DAYS, Math.max(FEWEST_DAYS, span));
  return Array.from({ length: count }, (_, i) => {
    const day = new Date(Date.parse(last) - (count - 1 - i) * DAY_MS).toISOString().slice(0, 10);
    return { day, figures: byDay.get(day) };
  });
}
