/** Statistics in total, by day and by event. What Fairline does not count is 0 or an empty list. */

import { type Answer, answerWith, type Translation } from '../../http/translation.ts';
import type { EventAnswer } from '../../shop/http/event-answer.ts';
import type { FiguresAnswer } from '../../stats/http/stats-answer.ts';
import { toStatus } from './events.ts';
import {
  addUp,
  newestFirst,
  type OurDay,
  pendingOf,
  since,
  sumOf,
  toAverage,
  toDay,
  toRate,
  toRevenue,
} from './figures.ts';
import { type Ours, translate } from './ours.ts';
import { toWhole } from './pages.ts';

type OurEventFigures = FiguresAnswer & { eventId: string };

const MOST_DAYS = 365;

export const statsTranslations: readonly Translation[] = [
  translate('GET', '/api/v1/stats/overview', async (_request, { get }) => {
    const total = await get<FiguresAnswer>('/api/stats/overview');
    const events = await get<EventAnswer[]>('/api/admin/events');
    const { joined, created, confirmed } = total.counts;
    const revenue = sumOf(total, 'revenue');
    return ok({
      ...{ total_users: joined, active_events: events.filter(({ state }) => state === 'open').length },
      ...{ total_reservations: created, confirmed_reservations: confirmed, completed_payments: confirmed },
      ...{ total_revenue: revenue, payment_revenue: revenue },
    });
  }),

  translate('GET', '/api/v1/stats/daily', async (request, ours) => ok((await getDays(request, ours)).map(toDay))),

  translate('GET', '/api/v1/stats/events', async ({ query, at }, { get }) => {
    const figures = await get<OurEventFigures[]>('/api/stats/events');
    const events = await get<EventAnswer[]>('/api/admin/events');
    const rows = figures.map((one) => toEventRow(one, events, at));
    const by = { reservations: 'total_reservations', occupancy: 'occupancy_rate' } as const;
    const key = by[query.get('sortBy') as keyof typeof by] ?? 'total_revenue';
    rows.sort((a, b) => b[key] - a[key]);
    return ok(rows.slice(0, toWhole(query.get('limit'), { default: 10, max: 100 })));
  }),

  translate('GET', '/api/v1/stats/events/:eventId', async ({ params, at }, { get }) => {
    const event = await get<EventAnswer>(`/api/admin/events/${params.eventId}`);
    const figures = await get<OurEventFigures & { daily: OurDay[] }>(`/api/stats/events/${params.eventId}`);
    const row = toEventRow(figures, [event], at);
    return ok({
      overview: { ...row, available_seats: event.seats.remaining },
      dailyTrend: figures.daily.map((day) => toDay(day)),
    });
  }),

  translate('GET', '/api/stats/payments', async (_request, { get }) => {
    const total = await get<FiguresAnswer>('/api/stats/overview');
    const [count, sum] = [total.counts.confirmed, sumOf(total, 'revenue')];
    return ok([{ method: 'aggregated', count, total_amount: sum, average_amount: toAverage(sum, count) }]);
  }),

  translate('GET', '/api/v1/stats/revenue', async (request, ours) =>
    ok(toRevenue(await getDays(request, ours), request.query.get('period') ?? 'daily')),
  ),

  translate('GET', '/api/stats/users', async (request, ours) => {
    const days = await getDays(request, ours);
    const total = await ours.get<FiguresAnswer>('/api/stats/overview');
    let later = 0;
    const daily = days.map(({ day, counts }) => {
      const cumulative = total.counts.joined - later;
      later += counts.joined;
      return { date: day, new_users: counts.joined, cumulative_users: cumulative };
    });
    return ok({ daily, byRole: [{ role: 'user', count: total.counts.joined }] });
  }),

  translate('GET', '/api/v1/stats/conversion', async (request, ours) => {
    const days = await getDays(request, ours);
    const { started, completed, cancelled, pending } = addUp(days);
    return ok({
      funnel: { total_started: started, completed, cancelled, pending },
      rates: {
        conversion_rate: toRate(completed, started),
        cancellation_rate: toRate(cancelled, started),
        pending_rate: toRate(pending, started),
      },
      dailyTrend: days.map(({ day, counts: { created, confirmed } }) => ({
        ...{ date: day, total: created, completed: confirmed, conversion_rate: toRate(confirmed, created) },
      })),
    });
  }),

  translate('GET', '/api/stats/cancellations', async (request, ours) => {
    const days = await getDays(request, ours);
    const figures = await ours.get<OurEventFigures[]>('/api/stats/events');
    const events = await ours.get<EventAnswer[]>('/api/admin/events');
    const { cancelled, refunds } = addUp(days);
    return ok({
      overview: { total_cancelled: cancelled, avg_hours_before_cancel: 0, total_refund_amount: refunds },
      hourlyPattern: [],
      byEvent: figures.map((one) => toCancellations(one, events)).sort((a, b) => b.cancelled - a.cancelled),
      dailyTrend: days.map(({ day, counts }) => ({ date: day, cancellations: counts.cancelled })),
    });
  }),
];

/** As URR's services wrap their statistics. */
export function ok(data: unknown): Answer {
  return answerWith(200, { success: true, data });
}

/** The last `days` of the query, newest first. */
export async function getDays(
  { query, at }: { query: URLSearchParams; at: number },
  { get }: Pick<Ours, 'get'>,
): Promise<OurDay[]> {
  const days = toWhole(query.get('days'), { default: 30, max: MOST_DAYS });
  return newestFirst(await get<OurDay[]>(`/api/stats/daily?${since(days, at)}`));
}

function toEventRow(figures: OurEventFigures, events: readonly EventAnswer[], at: number) {
  const { eventId, counts } = figures;
  const event = events.find((one) => one.eventId === eventId);
  const { total, remaining } = event?.seats ?? { total: 0, remaining: 0 };
  const [revenue, occupancy] = [sumOf(figures, 'revenue'), toRate(total - remaining, total)];
  return {
    ...{ id: eventId, event_id: eventId, title: event?.title ?? eventId, venue: event?.venue ?? null },
    ...{ event_date: event?.startsAt ?? null, status: event === undefined ? 'ended' : toStatus(event, at) },
    ...{ reservations: counts.created, total_reservations: counts.created },
    ...{ confirmed_reservations: counts.confirmed, pending_reservations: pendingOf(figures) },
    ...{ cancelled_reservations: counts.cancelled, revenue, total_revenue: revenue },
    ...{ total_seats: total, sold_seats: total - remaining, occupancy_rate: occupancy, seat_utilization: occupancy },
  };
}

function toCancellations(figures: OurEventFigures, events: readonly EventAnswer[]) {
  const { eventId, counts } = figures;
  return {
    ...{ id: eventId, event_id: eventId, title: events.find((one) => one.eventId === eventId)?.title ?? eventId },
    ...{ total_reservations: counts.created, cancelled: counts.cancelled, cancelled_count: counts.cancelled },
    ...{ refund_amount: sumOf(figures, 'refunds'), cancellation_rate: toRate(counts.cancelled, counts.created) },
  };
}
