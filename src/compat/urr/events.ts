/** The catalogue: events, their ticket types, and artists, which Fairline knows as a field of events. */

import { createHash } from 'node:crypto';
import { answerWith, type Translation } from '../../http/translation.ts';
import type { EventAnswer } from '../../shop/http/event-answer.ts';
import { refuse, translate } from './ours.ts';
import { toPage } from './pages.ts';

/** A membership of Fairline is for all artists. */
export const ALL_ARTISTS = { id: 'all', name: '전체 아티스트' };

export const eventTranslations: readonly Translation[] = [
  translate('GET', '/api/v1/events', async ({ query, at }, { get }) => {
    const events = (await get<EventAnswer[]>('/api/events')).map((event) => toEvent(event, at));
    const [status, words] = [query.get('status') ?? '', (query.get('q') ?? '').trim().toLowerCase()];
    const found = events.filter(
      (event) =>
        (status === '' || event.status === status) &&
        [event.title, event.artist_name, event.venue].some((text) => (text ?? '').toLowerCase().includes(words)),
    );
    const { items, pagination } = toPage(found, query, 10);
    return answerWith(200, { events: items, pagination });
  }),

  translate('GET', '/api/v1/events/:eventId', async ({ params, at }, { get }) => {
    const event = await get<EventAnswer>(`/api/events/${params.eventId}`);
    const preSaleSchedule = toPreSaleSchedule(event);
    return answerWith(200, {
      event: toEvent(event, at),
      ticketTypes: toTicketTypes(event),
      ...(preSaleSchedule === undefined ? {} : { preSaleSchedule }),
    });
  }),

  translate('GET', '/api/tickets/event/:eventId', async ({ params }, { get }) =>
    answerWith(200, { ticketTypes: toTicketTypes(await get<EventAnswer>(`/api/events/${params.eventId}`)) }),
  ),

  translate('GET', '/api/artists', async ({ query }, { get }) => {
    const events = await get<EventAnswer[]>('/api/events');
    const { amount } = await get<{ amount: number }>('/api/memberships/offer');
    const names = [...new Set(events.map(({ artist }) => artist))].filter((name) => name !== '').sort();
    const artists = names.map((name) => toArtist(name, ofArtist(events, toArtistId(name)), amount));
    const { items, pagination } = toPage(artists, query, 20);
    return answerWith(200, { artists: items, pagination });
  }),

  translate('GET', '/api/artists/:artistId', async ({ params, at }, { get }) => {
    const events = ofArtist(await get<EventAnswer[]>('/api/events'), params.artistId!);
    const { amount } = await get<{ amount: number }>('/api/memberships/offer');
    if (events.length === 0) throw refuse(404, 'NOT_FOUND', 'Artist not found');
    const name = params.artistId === ALL_ARTISTS.id ? ALL_ARTISTS.name : events[0]!.artist;
    return answerWith(200, {
      artist: toArtist(name, events, amount),
      memberCount: 0,
      events: events.map((event) => ({ ...toEvent(event, at), pre_sale_schedule: toPreSaleSchedule(event) })),
    });
  }),
];

export function toEvent(event: EventAnswer, at: number) {
  const { eventId, title, artist, venue, description, imageUrl, startsAt, onSaleAt, prices, seats, standing } = event;
  return {
    ...{ id: eventId, title, venue, description, address: null },
    ...{ event_date: startsAt, sale_start_date: onSaleAt, sale_end_date: startsAt },
    ...{ poster_image_url: imageUrl, status: toStatus(event, at) },
    artist_id: artist === '' ? null : toArtistId(artist),
    artist_name: artist === '' ? null : artist,
    ticket_type_count: standing.length,
    min_price: prices?.low ?? null,
    max_price: prices?.high ?? null,
    // The front end only asks whether there is one: it decides between the seat map and the list of tickets.
    seat_layout_id: seats.total > 0 ? eventId : null,
  };
}

/** URR's services derive it from the dates, too; the sale of ours ends when the event starts. */
export function toStatus({ state, startsAt, onSaleAt }: EventAnswer, at: number): string {
  if (state === 'cancelled') return 'cancelled';
  if (state === 'draft' || (onSaleAt !== null && at < Date.parse(onSaleAt))) return 'upcoming';
  return at < Date.parse(startsAt) ? 'on_sale' : 'ended';
}

/** A UUID, as URR's ids are: the same for a name at every instance. */
export function toArtistId(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

export function ofArtist(events: readonly EventAnswer[], artistId: string): EventAnswer[] {
  return events.filter(({ artist }) => artistId === ALL_ARTISTS.id || toArtistId(artist) === artistId);
}

function toTicketTypes({ eventId, standing }: EventAnswer) {
  return standing.map(({ typeId, name, price, total, remaining }) => ({
    ...{ id: typeId, event_id: eventId, name, price, description: null },
    ...{ total_quantity: total, available_quantity: remaining },
  }));
}

function toPreSaleSchedule({ membersFrom, onSaleAt }: EventAnswer) {
  if (membersFrom === null) return undefined;
  return { diamond: membersFrom, gold: membersFrom, silver: membersFrom, bronze: onSaleAt };
}

function toArtist(name: string, events: readonly EventAnswer[], membershipPrice: number) {
  return {
    id: name === ALL_ARTISTS.name ? ALL_ARTISTS.id : toArtistId(name),
    ...{ name, description: null, membership_price: membershipPrice },
    image_url: events.find(({ imageUrl }) => imageUrl !== null)?.imageUrl ?? null,
    ...{ event_count: events.length, member_count: 0 },
  };
}
