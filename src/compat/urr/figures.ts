/** Fairline's figures, as URR's statistics name them. URR knows one currency, and money as whole numbers. */
import type { DaysAnswer, FiguresAnswer } from '../../stats/http/stats-answer.ts';

export type OurDay = DaysAnswer[number];

const DAY_MS = 86_400_000;

/** In the currency with the largest revenue: sums of several currencies mean nothing. */
export function sumOf({ money }: Pick<FiguresAnswer, 'money'>, name: 'revenue' | 'refunds'): number {
  const [main] = [...money].sort((a, b) => b.revenue - a.revenue);
  return main?.[name] ?? 0;
}

export function toRate(part: number, total: number): number {
  return total === 0 ? 0 : round2((part / total) * 100);
}

export function toAverage(sum: number, count: number): number {
  return count === 0 ? 0 : round2(sum / count);
}

/** Reservations that were neither paid nor cancelled nor, so far, left to expire. */
export function pendingOf({ counts: { created, confirmed, cancelled } }: FiguresAnswer): number {
  return Math.max(created - confirmed - cancelled, 0);
}

/** The query for the last days, as Fairline's endpoints take it. */
export function since(days: number, at: number): string {
  return `from=${new Date(at - days * DAY_MS).toISOString().slice(0, 10)}`;
}

export function newestFirst(days: readonly OurDay[]): OurDay[] {
  return [...days].sort((a, b) => (a.day < b.day ? 1 : -1));
}

export function toDay({ day, ...figures }: OurDay) {
  const { created, confirmed, cancelled } = figures.counts;
  return { date: day, reservations: created, confirmed, cancelled, revenue: sumOf(figures, 'revenue') };
}

/** The days of a week belong to its Monday, those of a month to its first day. */
export function toPeriod(day: string, period: string): string {
  if (period === 'monthly') return `${day.slice(0, 7)}-01`;
  if (period !== 'weekly') return day;
  const date = new Date(`${day}T00:00:00Z`);
  return new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * DAY_MS).toISOString().slice(0, 10);
}

export function toRevenue(days: readonly OurDay[], period: string) {
  const periods = new Map<string, { count: number; revenue: number }>();
  for (const day of newestFirst(days)) {
    const name = toPeriod(day.day, period);
    const { count, revenue } = periods.get(name) ?? { count: 0, revenue: 0 };
    periods.set(name, { count: count + day.counts.confirmed, revenue: revenue + sumOf(day, 'revenue') });
  }
  return [...periods].map(([name, { count, revenue }]) => ({
    ...{ period: name, payment_count: count, total_revenue: revenue, average_amount: toAverage(revenue, count) },
  }));
}

export function addUp(days: readonly OurDay[]) {
  const sum = (of: (day: OurDay) => number) => days.reduce((total, day) => total + of(day), 0);
  return {
    started: sum(({ counts }) => counts.created),
    completed: sum(({ counts }) => counts.confirmed),
    cancelled: sum(({ counts }) => counts.cancelled),
    revenue: sum((day) => sumOf(day, 'revenue')),
    refunds: sum((day) => sumOf(day, 'refunds')),
    pending: sum(pendingOf),
  };
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
