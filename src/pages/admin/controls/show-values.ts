/** Formats rates, durations and settings for operators. */

import type { AdminTexts, WaitingTexts } from '../../texts/en.ts';
import { formatCount, formatDuration, formatTime } from '../../texts/format.ts';
import { fill, type Language } from '../../texts/language.ts';
import type { SettingFact, SettingValue } from '../api/setting-fact.ts';

export interface Reader {
  language: Language;
  texts: AdminTexts;
  durationTexts: Pick<WaitingTexts, 'durationMinutes' | 'durationSeconds'>;
}

/** How many wait, and how many of them are away. */
export function showWaiting({ waiting, away }: { waiting: number; away: number }, reader: Reader): string {
  const count = formatCount(waiting, reader.language);
  if (away === 0) return count;
  return fill(reader.texts.waitingAway, { count, away: formatCount(away, reader.language) });
}

export function showRate(perSecond: number | null, { language, texts }: Reader): string {
  if (perSecond === null) return texts.unknown;
  return perSecond.toLocaleString(language, { maximumFractionDigits: perSecond < 10 ? 1 : 0 });
}

export function showSeconds(seconds: number | null, { texts, durationTexts }: Reader): string {
  return seconds === null ? texts.unknown : formatDuration(seconds, durationTexts);
}

export function showSetting(fact: SettingFact, value: SettingValue | undefined, reader: Reader): string {
  const { language, texts } = reader;
  if (value === null || value === undefined) return texts.noDefault;
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (fact.kind === 'time') return formatTime(String(value), language, 'said');
  if (fact.kind === 'choice') return showChoice(String(value), reader);
  if (fact.kind === 'text') return String(value);
  if (fact.kind === 'number') return formatNumber(Number(value), language);
  return `${formatNumber(Number(value) / 1000, language)} ${texts.seconds}`;
}

export function showChoice(value: string, { texts }: Pick<Reader, 'texts'>): string {
  const names: Record<string, string> = { ...texts, choice_true: texts.yes, choice_false: texts.no };
  return names[`choice_${value}`] ?? value;
}

export function formatNumber(value: number, language: Language): string {
  return Number.isInteger(value) ? formatCount(value, language) : value.toLocaleString(language);
}
