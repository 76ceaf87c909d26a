import type { Contract } from '../contract.ts';
import { absent, is, jwt, nothing } from '../shapes.ts';

const waiting = { status: is('IN_ENTRY'), eventId: is('concert'), token: nothing };

/**
 * The page on which CodeNBug's front end waits and chooses seats. It opens an EventSource, listens to `message` only and
 * reads `status`, `order` and `token`. When the stream ends it opens a new one after a second.
 */
export const contract: Contract = {
  name: 'codenbug: book page',
  env: {},
  room: { maxActive: 1, streamFormat: 'message', releaseOnDisconnect: true },
  exchanges: [
    {
      name: 'is inside at once where a slot is free',
      request: { method: 'POST', path: '/api/queue/check/concert', as: 'user:ann' },
      answer: { status: 200, body: { status: is('active') } },
      next: 'ann occupies the only slot, so the page of bob waits',
    },
    {
      name: 'waits with its order, without a name of the event',
      request: { method: 'GET', path: '/events/concert/tickets/waiting', as: 'user:bob' },
      answer: {
        status: 200,
        messages: [{ event: absent, data: { ...waiting, userId: is('bob'), order: is(1) } }],
      },
      next: 'shows the order and keeps the seat map closed',
    },
    {
      name: 'finds the stream below the prefix of the API',
      request: { method: 'GET', path: '/api/v1/events/concert/tickets/waiting', as: 'user:bob' },
      answer: { status: 200, messages: [{ event: absent, data: { ...waiting, userId: is('bob'), order: is(1) } }] },
      next: 'a build that sends everything to one server finds the same stream',
    },
    {
      name: 'sees the slot become free',
      request: { method: 'POST', path: '/api/queue/leave/concert', as: 'user:ann' },
      answer: { status: 200 },
      next: 'bob is next',
    },
    {
      name: 'is told to choose seats, with a token',
      request: { method: 'GET', path: '/events/concert/tickets/waiting', as: 'user:bob' },
      answer: {
        status: 200,
        messages: [
          { event: absent, data: { status: is('IN_PROGRESS'), eventId: is('concert'), userId: is('bob'), token: jwt } },
        ],
      },
      next: 'opens the seat map and sends the token as the header entryAuthToken',
    },
  ],
};
