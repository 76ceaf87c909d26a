import type { Contract } from '../contract.ts';
import { boolean, filledText, is, jwt, matching, number, whole } from '../shapes.ts';

const vwr = '/vwr-api/vwr';

/**
 * The pages of tier 1 in URR's front end: the dialog of the event page (React), which shows `ahead` and `totalInQueue` of
 * every check, and the static page `/vwr/{eventId}`, which shows `message` of an error.
 */
export const contract: Contract = {
  name: 'urr: tier 1 dialog and static page',
  // Nobody is served unless the operator says so; the third device of an address is limited.
  env: { VWR_BATCH_SIZE: '1', VWR_CYCLE_MS: '3600000', LIMIT_VWR_ASSIGN_PER_IP: '2' },
  exchanges: [
    {
      name: 'asks for the status of an event without tier 1',
      request: { method: 'GET', path: `${vwr}/status/concert` },
      answer: { status: 200, body: { isActive: is(false) } },
      next: 'goes straight to the queue page',
    },
    {
      name: 'asks for a number where tier 1 is off',
      request: { method: 'POST', path: `${vwr}/assign/concert`, body: { userId: 'anon-1' }, as: 'guest:dialog' },
      answer: { status: 404, body: { message: filledText } },
      next: 'treats the visitor as admitted',
    },
    {
      name: 'the operator switches tier 1 on',
      request: { method: 'POST', path: '/api/admin/vwr/activate/concert', as: 'operator' },
      answer: { status: 200 },
      next: 'shows the new state',
    },
    {
      name: 'sees that tier 1 is on',
      request: { method: 'GET', path: `${vwr}/status/concert` },
      until: true,
      answer: { status: 200, body: { isActive: is(true), totalInQueue: whole, serving: whole, waitingCount: whole } },
      next: 'takes a number',
    },
    {
      name: 'takes a number',
      request: { method: 'POST', path: `${vwr}/assign/concert`, body: { userId: 'anon-1' }, as: 'guest:dialog' },
      until: true,
      answer: {
        status: 200,
        body: { requestId: filledText, position: is(1), estimatedWait: number, servingCounter: is(0) },
      },
      keep: { requestId: 'requestId' },
      next: 'keeps requestId and position in localStorage',
    },
    {
      name: 'polls while it waits',
      request: { method: 'GET', path: `${vwr}/check/concert/{requestId}?userId=anon-1`, as: 'guest:dialog' },
      answer: {
        status: 200,
        body: {
          ...{ admitted: is(false), position: is(1), servingCounter: is(0), ahead: is(1), totalInQueue: is(1) },
          ...{ estimatedWait: number, nextPoll: whole },
        },
      },
      next: 'shows ahead and totalInQueue with toLocaleString, and polls after nextPoll seconds',
    },
    {
      name: 'polls with the id of another browser',
      request: { method: 'GET', path: `${vwr}/check/concert/{requestId}` },
      answer: { status: 404, body: { message: filledText } },
      next: 'forgets the id and takes a new number',
    },
    {
      name: 'a second device takes a number',
      request: { method: 'POST', path: `${vwr}/assign/concert`, body: { userId: 'anon-2' }, as: 'guest:static' },
      answer: { status: 200, body: { position: is(2) } },
      next: 'polls',
    },
    {
      name: 'a device too many is told in words',
      request: { method: 'POST', path: `${vwr}/assign/concert`, body: { userId: 'anon-3' }, as: 'guest:many' },
      answer: {
        status: 429,
        headers: { 'retry-after': matching(/^\d+$/) },
        body: { error: { code: is('PROOF_OF_WORK_REQUIRED'), message: filledText }, message: filledText },
      },
      next: 'the static page shows message; without it, it would show [object Object]',
    },
    {
      name: 'the operator serves the first number',
      request: { method: 'POST', path: '/api/admin/vwr/advance/concert', body: { batchSize: 1 }, as: 'operator' },
      answer: { status: 200 },
      next: 'shows the new counter',
    },
    {
      name: 'is admitted',
      request: { method: 'GET', path: `${vwr}/check/concert/{requestId}?userId=anon-1`, as: 'guest:dialog' },
      until: true,
      answer: {
        status: 200,
        headers: { 'set-cookie': matching(/urr-vwr-token=/) },
        body: {
          admitted: is(true),
          token: jwt,
          position: is(1),
          servingCounter: is(1),
          ahead: is(0),
          totalInQueue: is(2),
        },
      },
      next: 'stores the token in the cookie urr-vwr-token and opens the queue page',
    },
    {
      name: 'joins the line with the number of tier 1',
      request: { method: 'POST', path: '/api/v1/queue/check/concert', body: { vwrPosition: 1 }, as: 'guest:dialog' },
      answer: { status: 200, body: { queued: boolean, number: is(1) } },
      next: 'shows the position, or opens the seat map',
    },
  ],
};
