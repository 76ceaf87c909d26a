/** How long ago something was: minutes, then hours, then the date. */
import { formatMoment } from '../../texts/format.ts';
import { fill } from '../../texts/language.ts';
import type { Desk } from '../controls/desk.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export function timeAgo(iso: string, now: number, { texts, language }: Pick<Desk, 'texts' | 'language'>): string {
  const passed = now - Date.parse(iso);
  if (passed < MINUTE_MS) return texts.ago_now;
  if (passed < HOUR_MS) return fill(texts.ago_minutes, { count: Math.floor(passed / MINUTE_MS) });
  if (passed < DAY_MS) return fill(texts.ago_hours, { count: Math.floor(passed / HOUR_MS) });
  return formatMoment(iso, language);
}
