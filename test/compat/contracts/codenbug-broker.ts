import type { Contract } from '../contract.ts';
import { absent, filledText, is, jwt, nothing, whole } from '../shapes.ts';

const BROKER = '/api/v1/broker';
const wrapped = { code: is('200 OK'), message: filledText };

/** Load scripts of CodeNBug's broker: one follows the stream and disconnects by POST, the other polls. */
export const contract: Contract = {
  name: 'codenbug: load scripts of the broker',
  env: { COMPAT: 'codenbug' },
  room: { maxActive: 1 },
  exchanges: [
    {
      name: 'enters by the stream of the broker',
      request: {
        method: 'GET',
        path: `${BROKER}/events/concert/tickets/waiting`,
        headers: { accept: 'text/event-stream' },
        as: 'user:ann',
      },
      answer: {
        status: 200,
        messages: [
          { event: absent, data: { status: is('IN_PROGRESS'), userId: is('ann'), eventId: is('concert'), token: jwt } },
        ],
      },
      next: 'stops waiting at IN_PROGRESS',
    },
    {
      name: 'asks for its order before it has one',
      request: { method: 'GET', path: `${BROKER}/polling/events/concert/current`, as: 'user:bob' },
      answer: {
        status: 200,
        body: {
          ...wrapped,
          data: { state: is('NONE'), rank: nothing, entryAuthToken: nothing, pollAfterMs: whole },
        },
      },
      next: 'polls again after pollAfterMs',
    },
    {
      name: 'enters the line by polling',
      request: { method: 'GET', path: `${BROKER}/polling/events/concert/waiting`, as: 'user:bob' },
      answer: { status: 200, body: { ...wrapped, data: nothing } },
      next: 'polls for its order',
    },
    {
      name: 'polls for its order',
      request: { method: 'GET', path: `${BROKER}/polling/events/concert/current`, as: 'user:bob' },
      answer: {
        status: 200,
        body: {
          ...wrapped,
          data: { state: is('WAITING'), rank: is(1), entryAuthToken: nothing, pollAfterMs: whole },
        },
      },
      next: 'polls again after pollAfterMs',
    },
    {
      name: 'disconnects from the stream',
      request: { method: 'POST', path: `${BROKER}/events/concert/tickets/disconnect`, as: 'user:ann' },
      answer: { status: 200, body: absent },
      next: 'closes the connection; the slot is free',
    },
    {
      name: 'is given the entry token by polling',
      request: { method: 'GET', path: `${BROKER}/polling/events/concert/current`, as: 'user:bob' },
      until: true,
      answer: {
        status: 200,
        body: { ...wrapped, data: { state: is('ENTRY'), rank: nothing, entryAuthToken: jwt, pollAfterMs: whole } },
      },
      next: 'calls the seat service with the header entryAuthToken',
    },
    {
      name: 'disconnects when it has bought',
      request: { method: 'DELETE', path: `${BROKER}/polling/events/concert/waiting`, as: 'user:bob' },
      answer: { status: 200, body: { ...wrapped, data: nothing } },
      next: 'ends',
    },
    {
      name: 'is refused as every other caller is',
      request: { method: 'GET', path: `${BROKER}/polling/events/unknown/waiting`, as: 'user:bob' },
      answer: { status: 404, body: { error: { code: is('EVENT_NOT_FOUND'), message: filledText } } },
      next: 'counts a failure',
    },
  ],
};
