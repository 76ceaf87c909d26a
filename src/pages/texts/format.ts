/** Numbers, money and times formatted for the reader's language. */
import type { WaitingTexts } from './en.ts';
import { inKorean } from './event-time.ts';
import { fill, type VisitorLanguage } from './language.ts';

const MINUTE = 60;
const HOUR = 60;
/** From here on a wait is shown in hours and minutes. */
const HOURS_FROM_MINUTES = 90;

/** A range up to a few minutes is always of use. From here on it is vague if it is wider than the factor. */
const VAGUE_FROM_MINUTES = 10;
const VAGUE_FACTOR = 3;

const DAY_SECONDS = 86_400;
/** From here on a time is given to five minutes. */
const FAR_MS = 3_600_000;

type DurationTexts = Pick<WaitingTexts, 'durationMinutes' | 'durationSeconds'>;

export function formatCount(count: number, language: VisitorLanguage): string {
  return count.toLocaleString(language);
}

/** `amount` is in the smallest unit of the currency. */
export function formatMoney(amount: number, currency: string, language: VisitorLanguage): string {
  // As ticket sites in Korea write it: 110,000원.
  if (currency === 'KRW' && language === 'ko') return `${formatCount(amount, language)}원`;
  const format = new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  return format.format(amount / unitOf(currency));
}

/** How many of the smallest unit make one: 100 for USD, 1 for KRW. */
export function unitOf(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return 10 ** (format.resolvedOptions().maximumFractionDigits ?? 0);
}

export function formatPrices(low: number, high: number, currency: string, language: VisitorLanguage): string {
  const first = formatMoney(low, currency, language);
  const dash = language === 'ko' ? '~' : ' – ';
  return low === high ? first : `${first}${dash}${formatMoney(high, currency, language)}`;
}

/** `zone`: `said` adds the time zone, for times rendered on the server. */
export function formatTime(iso: string, language: VisitorLanguage, zone: 'own' | 'said' = 'own'): string {
  const time = new Date(iso).toLocaleString(language, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    ...(zone === 'said' ? { timeZoneName: 'short' } : {}),
  });
  return inKorean(time, language);
}

export function formatDate(iso: string, language: VisitorLanguage): string {
  return new Date(iso).toLocaleDateString(language, { dateStyle: 'long' });
}

export function formatDay(iso: string, language: VisitorLanguage): string {
  return new Date(iso).toLocaleString(language, { dateStyle: 'full', timeStyle: 'short' });
}

export function formatMoment(iso: string, language: VisitorLanguage): string {
  return new Date(iso).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
}

/** A range of minutes, to avoid false precision. A range that says nothing is not shown. */
export function formatWait({ low, high }: { low: number; high: number }, texts: WaitingTexts): string {
  if (high < MINUTE) return texts.minute;
  const [from, to] = [Math.max(1, Math.floor(low / MINUTE)), Math.ceil(high / MINUTE)];
  if (to >= VAGUE_FROM_MINUTES && to > VAGUE_FACTOR * from) return texts.unknown;
  if (to >= HOURS_FROM_MINUTES) {
    return fill(texts.hoursRange, { low: formatHours(from, texts), high: formatHours(to, texts) });
  }
  return from === to ? fill(texts.minutes, { count: to }) : fill(texts.minutesRange, { low: from, high: to });
}

/** For a wait with a single estimate. */
export function formatMinutes(minutes: number, texts: WaitingTexts): string {
  if (minutes <= 1) return texts.minute;
  return minutes < HOURS_FROM_MINUTES ? fill(texts.minutes, { count: minutes }) : formatHours(minutes, texts);
}

function formatHours(minutes: number, texts: WaitingTexts): string {
  const [hours, rest] = [Math.floor(minutes / HOUR), minutes % HOUR];
  if (hours === 0) return fill(texts.minutesOnly, { minutes: rest });
  return rest === 0 ? fill(texts.hoursOnly, { hours }) : fill(texts.hours, { hours, minutes: rest });
}

/** Whole minutes from two minutes on, seconds below. */
export function formatDuration(seconds: number, texts: DurationTexts): string {
  return seconds >= 2 * MINUTE
    ? fill(texts.durationMinutes, { count: Math.floor(seconds / MINUTE) })
    : fill(texts.durationSeconds, { count: Math.max(0, Math.ceil(seconds)) });
}

/** The time of day, with the date if it is not today; by five minutes where the minute would be false precision. */
export function formatClock(at: number, now: number, language: VisitorLanguage, zone: 'own' | 'said' = 'own'): string {
  const stepMs = (at - now > FAR_MS ? 5 : 1) * MINUTE * 1000;
  const time = new Date(Math.round(at / stepMs) * stepMs);
  const isToday = time.toDateString() === new Date(now).toDateString();
  const text = time.toLocaleString(language, {
    ...(isToday ? {} : { month: 'short', day: 'numeric' }),
    hour: 'numeric',
    minute: '2-digit',
    ...(zone === 'said' ? { timeZoneName: 'short' } : {}),
  });
  return inKorean(text, language);
}

/** A countdown of any length: 4:05, 2:04:05, 3 d 2:04:05. */
export function formatUntil(seconds: number, texts: Pick<WaitingTexts, 'days'>): string {
  const left = Math.max(0, Math.floor(seconds));
  const [days, rest] = [Math.floor(left / DAY_SECONDS), left % DAY_SECONDS];
  const hours = Math.floor(rest / (MINUTE * HOUR));
  const minutes = formatCountdown(rest % (MINUTE * HOUR));
  const time = hours > 0 || days > 0 ? `${hours}:${minutes.padStart(5, '0')}` : minutes;
  return days > 0 ? fill(texts.days, { count: days, time }) : time;
}

/** As on a clock: 4:05. */
export function formatCountdown(seconds: number): string {
  const left = Math.max(0, Math.floor(seconds));
  return `${Math.floor(left / MINUTE)}:${String(left % MINUTE).padStart(2, '0')}`;
}
