/** The operators' pages of URR: the dashboard, seat layouts, events. */

import { randomUUID } from 'node:crypto';
import { answerWith, type Translation } from '../../http/translation.ts';
import type { EventAnswer } from '../../shop/http/event-answer.ts';
import type { FiguresAnswer } from '../../stats/http/stats-answer.ts';
import { toEvent } from './events.ts';
import { type OurDay, since, sumOf } from './figures.ts';
import { type Ours, refuse, toFields, translate } from './ours.ts';
import { type OurLayout, toLayout } from './seats.ts';

const dashboards = ['/api/admin/dashboard', '/api/admin/dashboard/stats'].map((path) =>
  translate('GET', path, async ({ at }, { get }) => {
    const total = await get<FiguresAnswer>('/api/stats/overview');
    const events = await get<EventAnswer[]>('/api/admin/events');
    const today = await get<OurDay[]>(`/api/stats/daily?${since(0, at)}`);
    return answerWith(200, {
      stats: {
        ...{ totalEvents: events.length, totalReservations: total.counts.created },
        ...{ totalRevenue: sumOf(total, 'revenue'), todayReservations: today[0]?.counts.created ?? 0 },
      },
      // Fairline gives operators no list of purchases.
      recentReservations: [],
    });
  }),
);

export const adminTranslations: readonly Translation[] = [
  ...dashboards,

  translate('GET', '/api/admin/seat-layouts', async (_request, { get }) =>
    answerWith(200, { layouts: (await get<OurLayout[]>('/api/seats/layouts')).map(toLayout) }),
  ),

  translate('POST', '/api/admin/events', async ({ body, at }, ours) => {
    const eventId = randomUUID();
    await ours.put(`/api/admin/events/${eventId}`, toEventBody(body));
    const layoutId = await putLayout(eventId, toFields(body), ours);
    if (layoutId !== undefined) {
      await ours.post(`/api/admin/events/${eventId}/seats`, { layoutId });
      await ours.post(`/api/admin/events/${eventId}/open`);
    }
    const event = await ours.get<EventAnswer>(`/api/admin/events/${eventId}`);
    return answerWith(201, { message: 'Event created successfully', event: toEvent(event, at) });
  }),

  translate('PUT', '/api/v1/admin/events/:eventId', async ({ params, body, at }, { put }) => {
    const event = await put<EventAnswer>(`/api/admin/events/${params.eventId}`, toEventBody(body));
    return answerWith(200, { message: 'Event updated successfully', event: toEvent(event, at) });
  }),

  translate('POST', '/api/v1/admin/events/:eventId/cancel', async ({ params, at }, { post }) => {
    const event = await post<EventAnswer>(`/api/admin/events/${params.eventId}/cancel`);
    const message = 'Event cancelled successfully. All buyers are refunded.';
    return answerWith(200, { message, event: toEvent(event, at) });
  }),

  translate('POST', '/api/admin/events/:eventId/generate-seats', async ({ params }, { get }) => {
    const { seats } = await get<EventAnswer>(`/api/admin/events/${params.eventId}`);
    const problem =
      seats.total > 0
        ? 'Seats already generated for this event'
        : 'Seat layout is not configured for this event. Choose one on the operator page /admin.';
    throw refuse(400, 'BAD_REQUEST', problem);
  }),
];

/** Fairline has no address, no end of sale before the start, and derives the status. Fields of our own pass. */
function toEventBody(body: unknown) {
  const { eventDate, saleStartDate, posterImageUrl, artistName, ...rest } = toFields(body);
  const { address: _a, saleEndDate: _e, seatLayoutId: _l, status: _s, ticketTypes: _t, ...own } = rest;
  return {
    ...own,
    ...(eventDate === undefined ? {} : { startsAt: eventDate }),
    ...(saleStartDate === undefined ? {} : { onSaleAt: saleStartDate }),
    ...(posterImageUrl === undefined ? {} : { imageUrl: posterImageUrl }),
    ...(artistName === undefined ? {} : { artist: artistName }),
  };
}

/** Ticket types belong to a layout: an event with some gets a layout of its own. Returns undefined without seats and tickets. */
async function putLayout(
  eventId: string,
  { seatLayoutId, ticketTypes, title }: Readonly<Record<string, unknown>>,
  { get, put }: Ours,
): Promise<string | undefined> {
  const chosen = typeof seatLayoutId === 'string' && seatLayoutId !== '' ? seatLayoutId : undefined;
  if (!Array.isArray(ticketTypes) || ticketTypes.length === 0) return chosen;
  const layouts = chosen === undefined ? [] : await get<OurLayout[]>('/api/seats/layouts');
  const sections = layouts.find(({ layoutId }) => layoutId === chosen)?.sections ?? [];
  const standing = ticketTypes.map((type, index) => {
    const { name, price, totalQuantity: quantity } = toFields(type);
    return { id: `T${index + 1}`, name, price, quantity };
  });
  await put(`/api/admin/layouts/${eventId}`, { name: String(title).slice(0, 100), sections, standing });
  return eventId;
}
