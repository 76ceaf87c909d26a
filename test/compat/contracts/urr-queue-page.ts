import type { Contract } from '../contract.ts';
import { is, jwt, maybe, number, text, whole } from '../shapes.ts';

/** The page `/queue/{eventId}` of URR's front end: joins, polls, and stores the entry token in a cookie of its own. */
export const contract: Contract = {
  name: 'urr: queue page',
  env: { COMPAT: 'urr' },
  room: { maxActive: 1 },
  exchanges: [
    {
      name: 'joins a line with a free slot',
      request: { method: 'POST', path: '/api/v1/queue/check/concert', as: 'user:ann' },
      answer: { status: 200, body: { status: is('active'), queued: is(false), entryToken: jwt } },
      next: 'stores entryToken in the cookie urr-entry-token and opens the seat map',
    },
    {
      name: 'joins a full line',
      request: { method: 'POST', path: '/api/v1/queue/check/concert', as: 'user:bob' },
      answer: {
        status: 200,
        body: {
          ...{ status: is('queued'), queued: is(true), position: is(1), peopleAhead: is(0), peopleBehind: is(0) },
          ...{ estimatedWait: number, nextPoll: whole, currentUsers: whole, threshold: is(1) },
        },
      },
      next: 'shows the position and polls after nextPoll seconds',
    },
    {
      name: 'polls while it waits',
      request: { method: 'GET', path: '/api/v1/queue/status/concert', as: 'user:bob' },
      answer: {
        status: 200,
        body: { status: is('queued'), position: whole, nextPoll: whole, entryToken: maybe(text) },
      },
      next: 'polls again',
    },
    {
      name: 'leaves when the visitor closes it',
      request: { method: 'POST', path: '/api/v1/queue/leave/concert', as: 'user:ann' },
      answer: { status: 200 },
      next: 'goes back to the event page',
    },
    {
      name: 'is admitted when a slot is free',
      request: { method: 'GET', path: '/api/v1/queue/status/concert', as: 'user:bob' },
      until: true,
      answer: { status: 200, body: { status: is('active'), entryToken: jwt, eventInfo: maybe({}) } },
      next: 'stores entryToken and opens the seat map',
    },
  ],
};
