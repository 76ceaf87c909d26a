/** Statistics of this moment, by hour and by seat. What Fairline does not count is 0 or an empty list. */

import type { Translation } from '../../http/translation.ts';
import type { EventAnswer } from '../../shop/http/event-answer.ts';
import type { StockAnswer } from '../../shop/http/sales-answer.ts';
import type { FiguresAnswer } from '../../stats/http/stats-answer.ts';
import { addUp, pendingOf, sumOf, toAverage, toRate } from './figures.ts';
import { type Ours, translate } from './ours.ts';
import { getDays, ok } from './stats.ts';

type OurHour = FiguresAnswer & { hour: string };

/** An operator's page asks every 30 seconds; each event is one request of ours. */
const MOST_EVENTS = 20;
const MOST_TRENDING = 5;
const WEEKEND = [0, 6];
const PRICE_TIERS = [
  { below: 50_000, name: 'budget' },
  { below: 100_000, name: 'standard' },
  { below: 150_000, name: 'premium' },
];

export const liveStatsTranslations: readonly Translation[] = [
  translate('GET', '/api/v1/stats/realtime', async (_request, ours) => {
    const { thisHour } = await ours.get<{ thisHour: FiguresAnswer }>('/api/stats/realtime');
    const { rooms } = await ours.get<{ rooms: { active: number }[] }>('/api/admin/overview');
    const events = await ours.get<EventAnswer[]>('/api/admin/events');
    const figures = await ours.get<(FiguresAnswer & { eventId: string })[]>('/api/stats/events');
    const stock = await getStock(
      events.map(({ eventId }) => eventId),
      ours,
    );
    const trending = [...figures].sort((a, b) => b.counts.created - a.counts.created).slice(0, MOST_TRENDING);
    return ok({
      current: {
        locked_seats: stock.reduce((sum, { held }) => sum + held, 0),
        active_payments: pendingOf(thisHour),
        active_users: rooms.reduce((sum, { active }) => sum + active, 0),
      },
      lastHour: { reservations: thisHour.counts.created, revenue: sumOf(thisHour, 'revenue') },
      recentActivity: [],
      trendingEvents: trending.map(({ eventId, counts }) => ({
        ...{ id: eventId, event_id: eventId, recent_reservations: counts.created, reservations: counts.created },
        title: events.find((event) => event.eventId === eventId)?.title ?? eventId,
      })),
    });
  }),

  translate('GET', '/api/stats/hourly-traffic', async (request, ours) => {
    const hourly = toHours((await ours.get<{ hourly: OurHour[] }>('/api/stats/realtime')).hourly);
    const days = await getDays(request, ours);
    const peak = hourly.reduce((most, hour) => (hour.total_reservations > most.total_reservations ? hour : most));
    const isWeekend = (day: string) => WEEKEND.includes(new Date(day).getUTCDay());
    const compare = (dayType: string, wanted: boolean) => {
      const { started, completed, revenue } = addUp(days.filter(({ day }) => isWeekend(day) === wanted));
      return { day_type: dayType, reservations: started, avg_amount: toAverage(revenue, completed) };
    };
    return ok({
      hourly,
      weekdayComparison: [compare('weekday', false), compare('weekend', true)],
      peakHour: { hour: peak.hour, reservations: peak.total_reservations },
    });
  }),

  translate('GET', '/api/stats/seat-preferences', async ({ query }, ours) => {
    const wanted = query.get('eventId') ?? '';
    const ids =
      wanted !== '' ? [wanted] : (await ours.get<EventAnswer[]>('/api/admin/events')).map((one) => one.eventId);
    const stock = await getStock(ids.map(encodeURIComponent), ours);
    const seats = stock.filter(({ kind }) => kind === 'seats');
    return ok({
      bySection: group(seats, ({ name }) => name).map(([section, of]) => ({ section, ...toShare(of) })),
      byPriceTier: group(seats, toPriceTier).map(([tier, of]) => ({
        ...{ price_tier: tier, ...toShare(of) },
        avg_price: Math.round(
          toAverage(
            of.reduce((sum, { price }) => sum + price, 0),
            of.length,
          ),
        ),
      })),
      topRows: [],
    });
  }),

  translate('GET', '/api/stats/user-behavior', async (request, ours) => {
    const days = await getDays(request, ours);
    return ok({
      userTypes: [],
      averageMetrics: { avg_reservations: null, max_reservations: null, median_reservations: null },
      spendingDistribution: [],
      avgTimeToPayment: null,
      weekdayActivity: days.map(({ day, counts: { joined, created } }) => ({
        ...{ day_name: day, day_of_week: new Date(day).getUTCDay(), unique_users: joined, reservations: created },
      })),
    });
  }),

  translate('GET', '/api/stats/performance', async (_request, { get }) => {
    const { counts } = await get<FiguresAnswer>('/api/stats/overview');
    const { hourly } = await get<{ hourly: OurHour[] }>('/api/stats/realtime');
    const events = await get<EventAnswer[]>('/api/admin/events');
    const { joined: users, created: reservations, confirmed: payments } = counts;
    const seats = events.reduce((sum, event) => sum + event.seats.total, 0);
    return ok({
      database: {
        size: 'n/a',
        sizeBytes: 0,
        tableCounts: { users, events: events.length, reservations, seats, payments },
      },
      recentPerformance: { successRate: toRate(payments, reservations), totalRequests: reservations },
      metrics: { avgSeatLockSeconds: '0.00', paymentFailureRate: 0 },
      loadPattern: toHours(hourly).map(({ hour, total_reservations: count }) => ({
        ...{ hour, request_count: count, avg_per_day: count },
      })),
    });
  }),
];

/** What is sold and held at the first events. */
async function getStock(eventIds: readonly string[], { get }: Ours): Promise<StockAnswer[]> {
  const stock: StockAnswer[] = [];
  for (const eventId of eventIds.slice(0, MOST_EVENTS)) {
    stock.push(...(await get<{ stock: StockAnswer[] }>(`/api/admin/events/${eventId}/sales`)).stock);
  }
  return stock;
}

/** All hours of a day, in the time zone of the server, as at URR. */
function toHours(hours: readonly OurHour[]) {
  return Array.from({ length: 24 }, (_, hour) => {
    const of = hours.filter((one) => new Date(one.hour).getHours() === hour);
    const { started, completed, cancelled, revenue } = addUp(of.map((one) => ({ ...one, day: one.hour })));
    return { hour, total_reservations: started, confirmed: completed, cancelled, revenue };
  });
}

function group(stock: readonly StockAnswer[], nameOf: (one: StockAnswer) => string): [string, StockAnswer[]][] {
  const groups = new Map<string, StockAnswer[]>();
  for (const one of stock) groups.set(nameOf(one), [...(groups.get(nameOf(one)) ?? []), one]);
  return [...groups];
}

function toShare(stock: readonly StockAnswer[]) {
  const [total, sold] = [sum(stock, 'total'), sum(stock, 'sold')];
  return { total_seats: total, reserved_seats: sold, reservation_rate: toRate(sold, total) };
}

function sum(stock: readonly StockAnswer[], name: 'total' | 'sold'): number {
  return stock.reduce((all, one) => all + one[name], 0);
}

function toPriceTier({ price }: StockAnswer): string {
  return PRICE_TIERS.find(({ below }) => price < below)?.name ?? 'vip';
}
