/** Transfers. Fairline's price is at most what was paid, and it takes no fee. */
import { answerWith, type Translation } from '../../http/translation.ts';
import type { EventAnswer } from '../../shop/http/event-answer.ts';
import { ofArtist, toArtistId } from './events.ts';
import { type OurItems, type OurReservation, type Ours, type OurWho, toFields, translate } from './ours.ts';
import { toPage } from './pages.ts';
import { findEvents } from './reservations.ts';

interface OurTransfer extends OurItems {
  transferId: string;
  eventId: string;
  price: number;
  status: 'listed' | 'paid' | 'completed' | 'cancelled';
  createdAt: string;
  completedAt?: string;
  reservationId?: string;
  role?: 'seller' | 'buyer';
}

export const transferTranslations: readonly Translation[] = [
  translate('POST', '/api/v1/transfers', async ({ body }, ours) => {
    const { reservationId, price } = toFields(body);
    // URR's clients name no price: the ticket is offered for what it cost.
    const paid = await ours.get<OurReservation>(`/api/reservations/${encodeURIComponent(String(reservationId))}`);
    const listed = await ours.post<OurTransfer>('/api/transfers', { reservationId, price: price ?? paid.amount });
    const [transfer] = await toTransfers([listed], ours);
    return answerWith(200, { transfer, message: 'Transfer listed successfully' });
  }),

  translate('GET', '/api/v1/transfers', async ({ query }, ours) => {
    // Only the visitor's own answers say who sells: a client must not offer to buy the visitor's own ticket.
    const mine = await ours.get<OurTransfer[]>('/api/transfers/my');
    const open = await ours.get<OurTransfer[]>('/api/transfers');
    const artistId = query.get('artistId') ?? '';
    const ofThisArtist = artistId === '' ? undefined : ofArtist(await ours.get<EventAnswer[]>('/api/events'), artistId);
    const found = open.filter(
      ({ eventId }) => ofThisArtist === undefined || ofThisArtist.some((event) => event.eventId === eventId),
    );
    const { items, pagination } = toPage(found, query, 20);
    const known = items.map((one) => mine.find(({ transferId }) => transferId === one.transferId) ?? one);
    return answerWith(200, { transfers: await toTransfers(known, ours), pagination });
  }),

  translate('GET', '/api/v1/transfers/my', async (_request, ours) => {
    const mine = await ours.get<OurTransfer[]>('/api/transfers/my');
    const listed = mine.filter(({ role }) => role === 'seller');
    return answerWith(200, { transfers: await toTransfers(listed, ours) });
  }),

  translate('GET', '/api/v1/transfers/:transferId', async ({ params }, ours) => {
    const found = await ours.get<OurTransfer>(`/api/transfers/${params.transferId}`);
    const [transfer] = await toTransfers([found], ours);
    return answerWith(200, { transfer });
  }),

  translate('POST', '/api/v1/transfers/:transferId/cancel', async ({ params }, { post }) => {
    await post(`/api/transfers/${params.transferId}/cancel`);
    return answerWith(200, { message: 'Transfer cancelled' });
  }),
];

async function toTransfers(transfers: readonly OurTransfer[], ours: Ours) {
  if (transfers.length === 0) return [];
  const eventOf = await findEvents(transfers, ours);
  const { userId } = await ours.get<OurWho>('/api/auth/me');
  return transfers.map((transfer) => toTransfer(transfer, eventOf(transfer.eventId), userId));
}

/** Fairline names no other seller or buyer than the caller. */
function toTransfer(transfer: OurTransfer, event: EventAnswer | undefined, me: string) {
  const { transferId, eventId, reservationId, price, status, role, createdAt, completedAt } = transfer;
  const artist = event?.artist ?? '';
  return {
    ...{ id: transferId, reservation_id: reservationId ?? null, seller_id: role === 'seller' ? me : '' },
    ...{ buyer_id: role === 'buyer' ? me : null, created_at: createdAt, completed_at: completedAt ?? null },
    ...{ original_price: price, transfer_fee: 0, transfer_fee_percent: 0, total_price: price },
    // Paid, and handed over in a moment: nobody can buy it any more.
    status: status === 'paid' ? 'completed' : status,
    ...{ event_title: event?.title ?? eventId, venue: event?.venue ?? null, event_date: event?.startsAt ?? null },
    artist_id: artist === '' ? null : toArtistId(artist),
    artist_name: artist === '' ? null : artist,
    seats: nameItems(transfer),
  };
}

function nameItems({ seats, tickets }: OurItems): string {
  const named = tickets.map(({ name, quantity }) => (quantity === 1 ? name : `${name} × ${quantity}`));
  return [...seats.map(({ seatId }) => seatId), ...named].join(', ');
}
