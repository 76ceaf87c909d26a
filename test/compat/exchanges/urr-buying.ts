/** URR's front end: the catalogue, the seat map, holds and payments. Its base is `/api/v1`, but for `/api/time`. */
import type { Exchange } from '../contract.ts';
import {
  absent,
  beginsWith,
  filledText,
  is,
  isoTime,
  jwt,
  listOf,
  matching,
  maybe,
  nothing,
  number,
  oneOf,
  text,
  uuid,
  whole,
} from '../shapes.ts';

const event = {
  ...{ id: is('concert'), title: is('Concert'), status: is('on_sale'), event_date: isoTime, sale_end_date: isoTime },
  ...{ venue: is('Hall'), artist_name: is('The Band'), min_price: is(30_000), max_price: is(50_000) },
  ...{ sale_start_date: maybe(isoTime), poster_image_url: maybe(text) },
};
const ticketType = { id: filledText, name: filledText, price: whole, total_quantity: whole, available_quantity: whole };
const item = { quantity: is(1), unitPrice: whole, subtotal: whole, ticketTypeName: filledText };
const reservation = {
  ...{ id: filledText, reservation_number: filledText, total_amount: whole, created_at: isoTime },
  ...{ event_title: is('Concert'), event_date: isoTime, venue: is('Hall'), items: listOf(item, { min: 1 }) },
};
const refused = { message: filledText };

export const catalogue: readonly Exchange[] = [
  {
    name: 'reads the time of the server',
    request: { method: 'GET', path: '/api/time' },
    answer: { status: 200, body: { time: isoTime } },
    next: 'runs its countdowns by this clock',
  },
  {
    name: 'lists the events on sale',
    request: { method: 'GET', path: '/api/v1/events?page=1&limit=12&status=on_sale' },
    answer: {
      status: 200,
      body: {
        events: listOf(event, { min: 1 }),
        pagination: { page: is(1), limit: is(12), total: is(1), totalPages: is(1) },
      },
    },
    next: 'shows a card per event, with a countdown to sale_end_date',
  },
  {
    name: 'lists no events that are over',
    request: { method: 'GET', path: '/api/v1/events?page=1&limit=12&status=ended' },
    answer: { status: 200, body: { events: listOf(absent), pagination: { total: is(0) } } },
    next: 'says that there are none',
  },
  {
    name: 'searches for events',
    request: { method: 'GET', path: '/api/v1/events?q=the%20BAND&page=1&limit=30' },
    answer: { status: 200, body: { events: listOf(event, { min: 1 }) } },
    next: 'shows what was found',
  },
  {
    name: 'opens an event',
    request: { method: 'GET', path: '/api/v1/events/concert' },
    answer: {
      status: 200,
      body: { event: { ...event, seat_layout_id: filledText }, ticketTypes: listOf(ticketType, { min: 1 }) },
    },
    next: 'leads to the seat map after the line, because there is a seat_layout_id',
  },
  {
    name: 'opens an event that does not exist',
    request: { method: 'GET', path: '/api/v1/events/nothing' },
    answer: { status: 404, body: refused },
    next: 'shows its page for 404',
  },
  {
    name: 'lists artists',
    request: { method: 'GET', path: '/api/v1/artists?limit=100' },
    answer: {
      status: 200,
      body: {
        artists: listOf({ id: uuid, name: is('The Band'), event_count: is(1), membership_price: whole }, { min: 1 }),
      },
    },
    keep: { artist: 'artists.0.id' },
    next: 'links to the page of each',
  },
  {
    name: 'opens an artist',
    request: { method: 'GET', path: '/api/v1/artists/{artist}' },
    answer: {
      status: 200,
      body: { artist: { id: uuid, name: is('The Band') }, memberCount: whole, events: listOf(event, { min: 1 }) },
    },
    next: 'offers a membership',
  },
  {
    name: 'leaves the answers below /api to the pages of Fairline',
    request: { method: 'GET', path: '/api/events' },
    answer: { status: 200, body: listOf({ eventId: is('concert'), id: absent }, { min: 1 }) },
    next: 'nothing: it does not use this path',
  },
];

export const buying: readonly Exchange[] = [
  {
    name: 'asks who is signed in',
    request: { method: 'GET', path: '/api/v1/auth/me', as: 'user:ann' },
    answer: { status: 200, body: { id: is('ann'), userId: is('ann'), role: is('user') } },
    next: 'shows its pages for users',
  },
  {
    name: 'asks who is signed in as a guest',
    request: { method: 'GET', path: '/api/v1/auth/me', as: 'guest:gus' },
    answer: { status: 401, body: refused },
    next: 'shows the sign-in',
  },
  ...['ann', 'bob'].map(
    (name): Exchange => ({
      name: `admits ${name}`,
      request: { method: 'POST', path: '/api/v1/queue/check/concert', as: `user:${name}` },
      answer: { status: 200, body: { status: is('active'), entryToken: jwt } },
      keep: { [`${name}Entry`]: 'entryToken' },
      next: 'stores entryToken in a cookie, and sends it as x-queue-entry-token from now on',
    }),
  ),
  {
    name: 'opens the seat map',
    request: { method: 'GET', path: '/api/v1/seats/events/concert', as: 'user:ann' },
    answer: {
      status: 200,
      body: {
        event: { id: is('concert'), title: is('Concert') },
        layout: { sections: listOf({ name: is('Stalls'), rows: is(2), seatsPerRow: is(10), price: is(50_000) }) },
        seats: listOf(
          {
            ...{ id: matching(/^A-[12]-\d+$/), section: is('Stalls'), row_number: oneOf(1, 2), seat_number: whole },
            ...{ seat_label: filledText, price: is(50_000), status: is('available') },
          },
          { min: 20 },
        ),
      },
    },
    keep: { seat: 'seats.0.id' },
    next: 'draws the seats by section and row',
  },
  ...['holds a seat', 'holds it again after a lost answer'].map(
    (name): Exchange => ({
      name,
      request: {
        ...{ method: 'POST', path: '/api/v1/seats/reserve', as: 'user:ann' },
        headers: { 'x-queue-entry-token': '{annEntry}' },
        body: { eventId: 'concert', seatIds: ['{seat}'], idempotencyKey: '3b0f7e0e-5a4c-4f3e-9d57-0f3f9a2f7f11' },
      },
      answer: {
        status: 200,
        body: {
          reservation: { id: filledText, reservationNumber: filledText, totalAmount: is(50_000), expiresAt: isoTime },
        },
      },
      keep: { reservation: 'reservation.id' },
      next: 'opens the page of the payment',
    }),
  ),
  {
    name: 'wants a seat that is taken',
    request: {
      ...{ method: 'POST', path: '/api/v1/seats/reserve', as: 'user:bob' },
      headers: { 'x-queue-entry-token': '{bobEntry}' },
      body: { eventId: 'concert', seatIds: ['{seat}'], idempotencyKey: '0c9d3c1e-7b9b-4e53-8a2e-5d2b1c1b0a22' },
    },
    answer: { status: 409, body: refused },
    next: 'reads the seat map again',
  },
  {
    name: 'holds a seat without an admission',
    request: {
      ...{ method: 'POST', path: '/api/v1/seats/reserve', as: 'user:carol' },
      body: { eventId: 'concert', seatIds: ['A-2-2'], idempotencyKey: '5d2b1c1b-7b9b-4e53-8a2e-0c9d3c1e0a22' },
    },
    answer: { status: 403, body: { ...refused, redirectTo: text } },
    next: 'shows the message',
  },
  {
    name: 'sees its own seat as locked',
    request: { method: 'GET', path: '/api/v1/seats/events/concert' },
    until: true,
    answer: { status: 200, body: { seats: beginsWith({ id: is('A-1-1'), status: is('locked') }) } },
    next: 'does not let others choose it',
  },
  {
    name: 'opens the page of the payment',
    request: { method: 'GET', path: '/api/v1/reservations/{reservation}', as: 'user:ann' },
    answer: {
      status: 200,
      body: {
        reservation: {
          ...{ ...reservation, status: is('pending'), payment_status: is('pending'), expires_at: isoTime },
          ...{ total_amount: is(50_000), seats: listOf({ seatLabel: filledText, price: is(50_000) }, { min: 1 }) },
        },
      },
    },
    next: 'counts down to expires_at and shows the methods of payment',
  },
  ...['pays in one request', 'pays again after a lost answer'].map(
    (name): Exchange => ({
      name,
      request: {
        ...{ method: 'POST', path: '/api/v1/payments/process', as: 'user:ann' },
        body: { reservationId: '{reservation}', paymentMethod: 'kakao_pay' },
      },
      answer: {
        status: 200,
        body: {
          success: is(true),
          message: filledText,
          payment: { id: filledText, orderId: filledText, amount: is(50_000), method: is('kakao_pay') },
        },
      },
      next: 'shows that the purchase is complete',
    }),
  ),
  {
    name: 'lists the reservations of the visitor',
    request: { method: 'GET', path: '/api/v1/reservations/my', as: 'user:ann' },
    answer: {
      status: 200,
      body: {
        reservations: listOf({ ...reservation, status: is('confirmed'), payment_status: is('completed') }, { min: 1 }),
      },
    },
    next: 'offers to cancel or to pass on each',
  },
];

/** Standing tickets, paid in two requests around the dialog of the provider. */
export const buyingTickets: readonly Exchange[] = [
  {
    name: 'admits the visitor once more',
    request: { method: 'POST', path: '/api/v1/queue/check/concert', as: 'user:carol' },
    answer: { status: 200, body: { entryToken: jwt } },
    keep: { carolEntry: 'entryToken' },
    next: 'opens the list of tickets',
  },
  {
    name: 'reads the ticket types',
    request: { method: 'GET', path: '/api/v1/tickets/event/concert' },
    answer: { status: 200, body: { ticketTypes: listOf(ticketType, { min: 1 }) } },
    keep: { type: 'ticketTypes.0.id' },
    next: 'shows what is left',
  },
  {
    name: 'holds a standing ticket',
    request: {
      ...{ method: 'POST', path: '/api/v1/reservations', as: 'user:carol' },
      headers: { 'x-queue-entry-token': '{carolEntry}' },
      body: {
        ...{ eventId: 'concert', items: [{ ticketTypeId: '{type}', quantity: 1 }] },
        idempotencyKey: '6f1d5a43-0f9d-4a36-8c53-6a5b7a1d7f33',
      },
    },
    answer: {
      status: 200,
      body: {
        reservation: {
          ...{ id: filledText, totalAmount: is(30_000), status: is('pending'), paymentStatus: is('pending') },
          ...{ expiresAt: isoTime, items: listOf({ ...item, ticketTypeId: filledText }, { min: 1 }) },
        },
      },
    },
    keep: { tickets: 'reservation.id' },
    next: 'opens the page of the payment',
  },
  {
    name: 'prepares a payment',
    request: {
      ...{ method: 'POST', path: '/api/v1/payments/prepare', as: 'user:carol' },
      body: { reservationId: '{tickets}', amount: 30_000 },
    },
    answer: { status: 200, body: { orderId: filledText, amount: is(30_000), clientKey: is('test_ck_contract') } },
    keep: { order: 'orderId' },
    next: 'opens the dialog of Toss Payments with clientKey and orderId',
  },
  {
    name: 'confirms the payment with the key of the dialog',
    request: {
      ...{ method: 'POST', path: '/api/v1/payments/confirm', as: 'user:carol' },
      body: { paymentKey: 'tviva20261118130000abcd1', orderId: '{order}', amount: 30_000 },
    },
    answer: {
      status: 200,
      body: { success: is(true), payment: { orderId: filledText, amount: is(30_000), method: is('toss') } },
    },
    next: 'shows that the purchase is complete',
  },
  {
    name: "confirms somebody else's order",
    request: {
      ...{ method: 'POST', path: '/api/v1/payments/confirm', as: 'user:bob' },
      body: { paymentKey: 'tviva20261118130000abcd1', orderId: '{order}', amount: 30_000 },
    },
    answer: { status: 404, body: refused },
    next: 'shows that the payment failed',
  },
  {
    name: 'cancels a reservation',
    request: { method: 'POST', path: '/api/v1/reservations/{tickets}/cancel', as: 'user:carol' },
    answer: { status: 200, body: { message: filledText, reservation: { status: is('cancelled') } } },
    next: 'reads the list again',
  },
  {
    name: 'lists the payments of the visitor',
    request: { method: 'GET', path: '/api/v1/payments/user/me?limit=10&offset=0', as: 'user:carol' },
    answer: {
      status: 200,
      body: {
        payments: listOf(
          { order_id: filledText, payment_key: filledText, amount: number, status: oneOf('refunding', 'refunded') },
          { min: 1 },
        ),
        pagination: { total: is(1), limit: is(10), offset: is(0) },
      },
    },
    next: 'nothing: its pages do not show them',
  },
  {
    name: 'shows a cancelled reservation',
    request: { method: 'GET', path: '/api/v1/reservations/{tickets}', as: 'user:carol' },
    answer: {
      status: 200,
      body: { reservation: { status: is('cancelled'), payment_status: is('refunded'), expires_at: nothing } },
    },
    next: 'offers nothing any more',
  },
];
