/** The operators' pages of URR's front end. One seat was sold before, and one ticket sold and refunded. */
import type { Exchange } from '../contract.ts';
import { atLeast, filledText, is, isoTime, listOf, matching, number, type Shape, text, whole } from '../shapes.ts';

const day = matching(/^\d{4}-\d\d-\d\d$/);
const eventRow = {
  event_id: is('concert'),
  title: is('Concert'),
  total_reservations: atLeast(2),
  total_revenue: atLeast(50_000),
};

/** What each section of the page of statistics reads from `data`. */
const sections: Readonly<Record<string, Shape>> = {
  'stats/daily?days=30': listOf(
    { date: day, reservations: atLeast(1), confirmed: whole, cancelled: whole, revenue: whole },
    { min: 1 },
  ),
  'stats/events?limit=20&sortBy=revenue': listOf({ ...eventRow, seat_utilization: is(5) }, { min: 1 }),
  'stats/events/concert': { overview: eventRow, dailyTrend: listOf({ date: day, reservations: whole }, { min: 1 }) },
  'stats/payments': listOf({
    method: filledText,
    count: atLeast(1),
    total_amount: atLeast(50_000),
    average_amount: number,
  }),
  'stats/revenue?period=daily&days=30': listOf({ period: day, total_revenue: atLeast(1) }, { min: 1 }),
  'stats/users?days=30': {
    daily: listOf({ date: day, new_users: whole }),
    byRole: listOf({ role: text, count: whole }),
  },
  'stats/hourly-traffic?days=7': {
    hourly: listOf({ hour: whole, total_reservations: whole }, { min: 24 }),
    peakHour: { hour: whole, reservations: atLeast(1) },
  },
  'stats/conversion?days=30': {
    funnel: { total_started: atLeast(2), completed: atLeast(1), cancelled: whole, pending: whole },
    rates: { conversion_rate: number, cancellation_rate: number, pending_rate: number },
  },
  'stats/cancellations?days=30': {
    overview: { total_cancelled: atLeast(1), avg_hours_before_cancel: number, total_refund_amount: is(30_000) },
    byEvent: listOf({ title: is('Concert'), cancelled_count: atLeast(1), refund_amount: is(30_000) }, { min: 1 }),
  },
  'stats/realtime': {
    current: { locked_seats: whole, active_payments: whole, active_users: atLeast(1) },
    lastHour: { revenue: whole },
    trendingEvents: listOf({ title: is('Concert'), reservations: atLeast(2) }, { min: 1 }),
  },
  'stats/performance': {
    database: { size: text, tableCounts: { events: is(1), seats: is(20) } },
    recentPerformance: { successRate: number },
  },
  'stats/seat-preferences': {
    bySection: listOf({ section: is('Stalls'), reserved_seats: is(1), total_seats: is(20) }, { min: 1 }),
    byPriceTier: listOf({ price_tier: is('standard'), reserved_seats: is(1) }, { min: 1 }),
  },
  'stats/user-behavior?days=30': { userTypes: listOf({}), spendingDistribution: listOf({}), averageMetrics: {} },
};

export const operating: readonly Exchange[] = [
  {
    name: 'reads the totals',
    request: { method: 'GET', path: '/api/v1/stats/overview', as: 'operator' },
    until: true,
    answer: {
      status: 200,
      body: {
        success: is(true),
        data: {
          ...{ total_users: atLeast(1), active_events: is(1), confirmed_reservations: atLeast(2) },
          ...{ total_reservations: atLeast(2), total_revenue: is(80_000) },
        },
      },
    },
    next: 'shows four figures',
  },
  {
    name: 'reads the refund of a cancelled reservation',
    request: { method: 'GET', path: '/api/v1/stats/cancellations?days=30', as: 'operator' },
    until: true,
    answer: {
      status: 200,
      body: { data: { overview: { total_cancelled: atLeast(1), total_refund_amount: is(30_000) } } },
    },
    next: 'shows the sum of the refunds',
  },
  ...Object.entries(sections).map(
    ([path, data]): Exchange => ({
      name: `reads ${path}`,
      request: { method: 'GET', path: `/api/v1/${path}`, as: 'operator' },
      answer: { status: 200, body: { success: is(true), data } },
      next: 'draws a section of the page of statistics',
    }),
  ),
  {
    name: 'opens the dashboard',
    request: { method: 'GET', path: '/api/v1/admin/dashboard', as: 'operator' },
    answer: {
      status: 200,
      body: {
        stats: {
          totalEvents: is(1),
          totalReservations: atLeast(2),
          totalRevenue: is(80_000),
          todayReservations: whole,
        },
        recentReservations: listOf({}),
      },
    },
    next: 'shows three figures',
  },
  ...['stats/overview', 'stats/payments', 'admin/dashboard'].map(
    (path): Exchange => ({
      name: `keeps ${path} from users`,
      request: { method: 'GET', path: `/api/v1/${path}`, as: 'user:ann' },
      answer: { status: 401, body: { message: filledText } },
      next: 'goes back to the start',
    }),
  ),
  {
    name: 'lists seat layouts',
    request: { method: 'GET', path: '/api/v1/admin/seat-layouts', as: 'operator' },
    answer: {
      status: 200,
      body: {
        layouts: listOf(
          {
            id: is('hall'),
            name: is('Hall'),
            total_seats: whole,
            layout_config: { sections: listOf({ rows: is(2) }) },
          },
          { min: 1 },
        ),
      },
    },
    next: 'offers them for a new event',
  },
  {
    name: 'creates an event',
    request: {
      ...{ method: 'POST', path: '/api/v1/admin/events', as: 'operator' },
      body: {
        ...{
          title: 'Second night',
          venue: 'Hall',
          address: 'Olympic-ro 424',
          artistName: 'The Band',
          status: 'on_sale',
        },
        ...{ eventDate: '2099-05-01T10:00:00.000Z', saleStartDate: '2026-01-01T00:00:00.000Z' },
        ...{ saleEndDate: '2099-05-01T09:00:00.000Z', seatLayoutId: 'hall' },
        ticketTypes: [{ name: 'Standing', price: 40_000, totalQuantity: 100 }],
      },
    },
    answer: { status: 201, body: { event: { id: filledText, title: is('Second night'), event_date: isoTime } } },
    keep: { second: 'event.id' },
    next: 'asks to generate its seats, and ignores the answer',
  },
  {
    name: 'sells the new event',
    request: { method: 'GET', path: '/api/v1/events/{second}' },
    answer: {
      status: 200,
      body: {
        event: { status: is('on_sale'), artist_name: is('The Band'), seat_layout_id: filledText },
        ticketTypes: listOf({ name: is('Standing'), price: is(40_000), available_quantity: is(100) }, { min: 1 }),
      },
    },
    next: 'shows it',
  },
  {
    name: 'changes an event',
    request: {
      ...{ method: 'PUT', path: '/api/v1/admin/events/{second}', as: 'operator' },
      body: { title: 'Last night', venue: 'Hall', artistName: 'The Band', status: 'on_sale' },
    },
    answer: { status: 200, body: { event: { title: is('Last night') } } },
    next: 'goes back to the list',
  },
  {
    name: 'generates seats a second time',
    request: { method: 'POST', path: '/api/v1/admin/events/{second}/generate-seats', as: 'operator' },
    answer: { status: 400, body: { message: filledText } },
    next: 'says that it failed',
  },
  {
    name: 'cancels an event',
    request: { method: 'POST', path: '/api/v1/admin/events/{second}/cancel', as: 'operator' },
    answer: { status: 200, body: { message: filledText, event: { status: is('cancelled') } } },
    next: 'reads the list again',
  },
];
