import type { Contract } from '../contract.ts';
import { absent, filledText, is, jwt, matching, maybe, number, text, whole } from '../shapes.ts';

const origin = 'https://www.urr.example';
/** The front end is on another subdomain, so its requests name their origin. */
const from = { origin, 'sec-fetch-site': 'same-site' };
const preflight = {
  ...from,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'content-type,x-queue-entry-token',
};
const readable = { 'access-control-allow-origin': is(origin), 'access-control-allow-credentials': is('true') };
const account = { email: 'ann@example.org', password: 'a long enough pass phrase 7', name: 'Ann', phone: '' };

/**
 * URR's front end from registration to the seat map: it joins, polls, and copies the cookie `urr-entry-token` into the
 * header `x-queue-entry-token` of every request, which its gateway checks.
 */
export const contract: Contract = {
  name: 'urr: queue page',
  env: { CORS_ORIGINS: origin, ENTRY_COOKIE_READABLE: 'on' },
  room: { maxActive: 1 },
  shop: true,
  exchanges: [
    {
      name: 'the operator names the artist',
      request: { method: 'PUT', path: '/api/admin/events/concert', body: { artist: 'The Band' }, as: 'operator' },
      answer: { status: 200 },
      next: 'shows the event',
    },
    {
      name: 'registers without a phone number',
      request: { method: 'POST', path: '/api/v1/auth/register', headers: from, body: account, as: 'guest:ann' },
      answer: { status: 201, headers: readable },
      next: 'asks who it is',
    },
    {
      name: 'asks who it is',
      request: { method: 'GET', path: '/api/v1/auth/me', headers: from, as: 'guest:ann' },
      answer: {
        status: 200,
        headers: readable,
        body: { user: absent, id: filledText, userId: filledText, email: is(account.email), name: is('Ann') },
      },
      next: 'takes the answer as the user, because it has no field user; needs id, email, name and role',
    },
    {
      name: 'may send a join from another origin',
      request: { method: 'OPTIONS', path: '/api/v1/queue/check/concert', headers: preflight },
      answer: {
        status: 204,
        headers: { ...readable, 'access-control-allow-headers': matching(/\bx-queue-entry-token\b/) },
      },
      next: 'joins',
    },
    {
      name: 'joins a line with a free slot',
      request: { method: 'POST', path: '/api/v1/queue/check/concert', headers: from, body: {}, as: 'guest:ann' },
      answer: {
        status: 200,
        headers: { ...readable, 'set-cookie': matching(/urr-entry-token=[^;]+; Path=\/; Max-Age=\d+; SameSite=Lax/) },
        body: { status: is('active'), queued: is(false), entryToken: jwt },
      },
      keep: { entryToken: 'entryToken' },
      next: 'stores entryToken in the cookie urr-entry-token, which an HttpOnly cookie would prevent; opens the seat map',
    },
    {
      name: 'the gateway refuses a request without the token',
      request: { method: 'GET', path: '/gate/verify?eventId=concert', as: 'guest:nobody' },
      answer: {
        status: 403,
        body: { error: { code: is('ENTRY_TOKEN_REQUIRED') }, message: filledText, redirectTo: is('/queue/concert') },
      },
      next: 'shows message and goes to redirectTo',
    },
    {
      name: 'the gateway accepts the token in the header',
      request: {
        method: 'GET',
        path: '/gate/verify?eventId=concert',
        headers: { 'x-queue-entry-token': '{entryToken}' },
        as: 'guest:ann',
      },
      answer: { status: 200, body: { eventId: is('concert'), visitor: filledText } },
      next: 'passes the request on',
    },
    {
      name: 'reads the seat map from another origin',
      request: { method: 'GET', path: '/api/v1/seats/events/concert', headers: from, as: 'guest:ann' },
      answer: { status: 200, headers: { ...readable, vary: is('Origin, accept-encoding') } },
      next: 'shows the seats; a cache must not give the answer to a page of another origin',
    },
    {
      name: 'may send a reservation from another origin',
      request: { method: 'OPTIONS', path: '/api/v1/seats/reserve', headers: preflight },
      answer: { status: 204, headers: readable },
      next: 'reserves',
    },
    {
      name: 'reserves a seat with the token in the header',
      request: {
        method: 'POST',
        path: '/api/v1/seats/reserve',
        headers: { ...from, 'x-queue-entry-token': '{entryToken}' },
        body: { eventId: 'concert', seatIds: ['A-1-1'] },
        as: 'guest:ann',
      },
      answer: { status: 201, headers: readable },
      next: 'opens the payment page',
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
      until: true,
      answer: {
        status: 200,
        body: {
          ...{ status: is('queued'), position: whole, nextPoll: whole, entryToken: maybe(text) },
          eventInfo: { title: is('Concert'), artist: is('The Band') },
        },
      },
      next: 'shows artist and title, and polls again',
    },
    {
      name: 'leaves when the visitor closes it',
      request: { method: 'POST', path: '/api/v1/queue/leave/concert', as: 'guest:ann' },
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
