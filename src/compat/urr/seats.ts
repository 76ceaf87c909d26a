/** The seat map, which URR lists seat by seat, and holds of seats. */

import { type Answer, answerWith, type Translation } from '../../http/translation.ts';
import type { EventAnswer } from '../../shop/http/event-answer.ts';
import type { ReservationAnswer } from '../../shop/http/reservation-answer.ts';
import { refuse, toFields, translate } from './ours.ts';
import { toHeldReservation, toKeyHeader } from './reservations.ts';

interface OurSeatMap {
  eventId: string;
  sections: { id: string; name: string; rows: number; seatsPerRow: number; price: number; seats: string[] }[];
}

/** Blocked seats are not in the list: they are never sold. */
const BLOCKED = '3';
const STATUS_OF_DIGIT: Readonly<Record<string, string>> = { '0': 'available', '1': 'locked', '2': 'reserved' };

export const seatTranslations: readonly Translation[] = [
  translate('GET', '/api/v1/seats/events/:eventId', async ({ params }, { get }) => {
    const map = await get<OurSeatMap>(`/api/seats/events/${params.eventId}`);
    if (map.sections.length === 0) throw refuse(404, 'NOT_FOUND', 'This event does not have seat selection');
    const { title } = await get<EventAnswer>(`/api/events/${params.eventId}`);
    return renderOnce(title, map);
  }),

  translate('GET', '/api/v1/seats/layouts', async (_request, { get }) =>
    answerWith(200, { layouts: (await get<OurLayout[]>('/api/seats/layouts')).map(toLayout) }),
  ),

  translate('POST', '/api/v1/seats/reserve', async ({ body }, { post }) => {
    const { idempotencyKey, ...wanted } = toFields(body);
    const held = await post<ReservationAnswer>('/api/seats/reserve', wanted, toKeyHeader(idempotencyKey));
    return answerWith(200, { message: 'Seat reserved temporarily', reservation: toHeldReservation(held) });
  }),
];

export interface OurLayout {
  layoutId: string;
  name: string;
  sections: { id: string; name: string; rows: number; seatsPerRow: number; price: number }[];
  standing: { id: string; name: string; quantity: number; price: number }[];
}

export function toLayout({ layoutId, name, sections, standing }: OurLayout) {
  const seats = sections.reduce((sum, { rows, seatsPerRow }) => sum + rows * seatsPerRow, 0);
  const standingPlaces = standing.reduce((sum, { quantity }) => sum + quantity, 0);
  return {
    ...{ id: layoutId, name, description: sections.map((section) => section.name).join(', ') },
    ...{ total_seats: seats + standingPlaces, layout_config: toLayoutConfig(sections) },
  };
}

function toLayoutConfig(sections: OurLayout['sections']) {
  return {
    sections: sections.map(({ name, rows, seatsPerRow, price }) => ({ name, rows, seatsPerRow, price, startRow: 1 })),
  };
}

/**
 * A list of 20,000 seats is 3 MB, and everybody who is admitted asks for it. The last map of each event is kept, so that
 * an unchanged one is rendered once.
 */
const MOST_KEPT = 8;
const kept = new Map<string, { of: string; answer: Answer }>();

function renderOnce(title: string, map: OurSeatMap): Answer {
  const { eventId, sections } = map;
  const of = JSON.stringify({ title, sections });
  const known = kept.get(eventId);
  if (known?.of === of) return known.answer;
  const body = { event: { id: eventId, title }, layout: toLayoutConfig(sections), seats: listSeats(map) };
  const answer = { ...answerWith(200, undefined), rendered: JSON.stringify(body) };
  kept.delete(eventId);
  kept.set(eventId, { of, answer });
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
  return answer;
}

function listSeats({ eventId, sections }: OurSeatMap) {
  return sections.flatMap(({ id: sectionId, name, price, seats }) =>
    seats.flatMap((digits, row) =>
      [...digits].flatMap((digit, index) => {
        if (digit === BLOCKED) return [];
        const id = `${sectionId}-${row + 1}-${index + 1}`;
        return {
          ...{ id, event_id: eventId, section: name, row_number: row + 1, seat_number: index + 1 },
          ...{ seat_label: id, price, status: STATUS_OF_DIGIT[digit] ?? 'locked' },
        };
      }),
    ),
  );
}
