import type { Contract, Exchange } from '../contract.ts';
import { filledText, is, jwt, whole } from '../shapes.ts';

const joins = (user: string, status: string): Exchange => ({
  name: `joins: ${user}`,
  request: { method: 'POST', path: '/api/queue/join', body: { event_id: 'concert' }, as: `user:${user}` },
  answer: { status: 202, body: { waiting_token: jwt, position_hint: whole, status: is(status) } },
  keep: { [user]: 'waiting_token' },
  next: 'polls',
});
const enters = (user: string): Exchange => ({
  name: `takes the token that lets it in: ${user}`,
  request: { method: 'POST', path: '/api/queue/enter', body: { waiting_token: `{${user}}` }, as: `user:${user}` },
  answer: { status: 200, body: { admission: is('granted'), reservation_token: jwt, ttl_sec: whole } },
  keep: { [`${user}Entry`]: 'reservation_token' },
  next: 'opens the seat map',
});
const polls = (user: string, body: Exchange['answer']['body']) => ({
  request: { method: 'GET' as const, path: `/api/queue/status?token={${user}}`, as: `user:${user}` as const },
  answer: { status: 200, body: body! },
});

/** A page that polls `{status, rank, aheadCount}`, takes a token when it is ready, and holds seats with it. */
export const contract: Contract = {
  name: 'polling: seat page',
  env: {},
  room: { maxActive: 2, admission: 'claim' },
  shop: true,
  exchanges: [
    joins('ann', 'ready'),
    joins('bob', 'ready'),
    joins('carl', 'waiting'),
    {
      name: 'polls while no token is free',
      ...polls('carl', { status: is('waiting'), rank: is(0), aheadCount: is(0) }),
      next: 'says that nobody is ahead, and polls again',
    },
    enters('ann'),
    enters('bob'),
    {
      name: 'polls inside',
      ...polls('ann', { status: is('entered'), rank: is(0), aheadCount: is(0) }),
      next: 'keeps its token by polling',
    },
    {
      name: 'reads how many seats are left',
      request: { method: 'GET', path: '/api/seats/events/concert' },
      answer: { status: 200, body: { total: is(20), remaining: is(20) } },
      next: 'shows the seats, or that all are sold',
    },
    {
      name: 'holds a seat',
      request: {
        method: 'POST',
        path: '/api/seats/reserve',
        headers: { 'x-queue-entry-token': '{annEntry}' },
        body: { eventId: 'concert', seatIds: ['A-1-1'] },
        as: 'user:ann',
      },
      answer: { status: 201, body: { reservationId: filledText, status: is('held'), amount: is(50_000) } },
      keep: { reservation: 'reservationId' },
      next: 'opens the payment',
    },
    {
      name: 'is refused a seat that somebody else holds',
      request: {
        method: 'POST',
        path: '/api/seats/reserve',
        headers: { 'x-queue-entry-token': '{bobEntry}' },
        body: { eventId: 'concert', seatIds: ['A-1-1'] },
        as: 'user:bob',
      },
      answer: { status: 409, body: { error: { code: is('SEATS_TAKEN'), message: filledText } } },
      next: 'says that another buyer was faster',
    },
    {
      name: 'prepares the payment',
      request: {
        method: 'POST',
        path: '/api/payments/prepare',
        body: { reservationId: '{reservation}' },
        as: 'user:ann',
      },
      answer: { status: 200, body: { orderId: filledText, paymentKey: filledText, amount: is(50_000) } },
      keep: { order: 'orderId', payment: 'paymentKey' },
      next: 'lets the buyer pay',
    },
    {
      name: 'pays, which returns the token',
      request: {
        method: 'POST',
        path: '/api/payments/confirm',
        body: { orderId: '{order}', paymentKey: '{payment}', amount: 50_000 },
        as: 'user:ann',
      },
      answer: { status: 200, body: {} },
      next: 'shows the ticket',
    },
    {
      name: 'is ready when a token is free',
      ...polls('carl', { status: is('ready'), rank: is(0), aheadCount: is(0) }),
      until: true,
      next: 'takes the token',
    },
  ],
};
