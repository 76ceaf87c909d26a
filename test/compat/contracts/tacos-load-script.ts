import type { Contract } from '../contract.ts';
import { boolean, filledText, is, jwt, matching, number, text, whole } from '../shapes.ts';

/** An invented user and a bearer that is no token: the load scripts of Traffic Tacos have nothing else. */
const headers = { authorization: 'Bearer dev-super-key-local-testing', 'x-load-test': 'true' };
const error = (code: string) => ({ error: { code: is(code), message: filledText, trace_id: text } });

/** The load and shell scripts of Traffic Tacos' gateway: they check status codes and error codes. */
export const contract: Contract = {
  name: 'tacos: load and shell scripts',
  env: { COMPAT: 'tacos', CLAIM_STRICT: 'on' },
  room: { maxActive: 1, admission: 'claim', readyStatus: 'waiting' },
  exchanges: [
    {
      name: 'joins as a user that it made up',
      request: {
        method: 'POST',
        path: '/api/v1/queue/join',
        headers: { ...headers, 'idempotency-key': 'join_1_0_1718000000000' },
        body: { event_id: 'concert', user_id: 'user_1_0' },
        as: 'guest:vu1',
      },
      answer: {
        status: 202,
        headers: { 'x-queue-warning': matching(/^user_id was ignored/) },
        body: { waiting_token: jwt, position_hint: whole, status: is('waiting') },
      },
      keep: { first: 'waiting_token' },
      next: 'polls with waiting_token',
    },
    {
      name: 'repeats a request',
      request: {
        method: 'POST',
        path: '/api/v1/queue/join',
        headers: { ...headers, 'idempotency-key': 'join_1_0_1718000000000' },
        body: { event_id: 'concert', user_id: 'user_1_0' },
        as: 'guest:vu1',
      },
      answer: { status: 409, body: error('DUPLICATE_REQUEST') },
      next: 'counts a duplicate',
    },
    {
      name: 'joins without a key',
      request: {
        method: 'POST',
        path: '/api/v1/queue/join',
        headers,
        body: { event_id: 'concert', user_id: 'user_2' },
      },
      answer: { status: 400, body: error('IDEMPOTENCY_REQUIRED') },
      next: 'expects the refusal',
    },
    {
      name: 'joins a full room',
      request: {
        method: 'POST',
        path: '/api/v1/queue/join',
        headers: { ...headers, 'idempotency-key': 'join_2_0_1718000000000' },
        body: { event_id: 'concert', user_id: 'user_2_0' },
        as: 'guest:vu2',
      },
      answer: { status: 202, body: { waiting_token: jwt, position_hint: is(1), status: is('waiting') } },
      keep: { second: 'waiting_token' },
      next: 'polls with waiting_token',
    },
    {
      name: 'polls while it waits',
      request: { method: 'GET', path: '/api/v1/queue/status?token={second}', headers, as: 'guest:vu2' },
      answer: {
        status: 200,
        body: {
          ...{ status: is('waiting'), position: is(1), eta_sec: number, waiting_time: whole },
          ready_for_entry: is(false),
        },
      },
      next: 'polls again after 2 s',
    },
    {
      name: 'polls with the token that it makes up after a failed join',
      request: { method: 'GET', path: '/api/v1/queue/status?token=wtkn_k6_fallback_1718000000000_3', headers },
      answer: { status: 404, body: error('TOKEN_NOT_FOUND') },
      next: 'counts 200 and 404 as success',
    },
    {
      name: 'enters before its turn',
      request: {
        method: 'POST',
        path: '/api/v1/queue/enter',
        headers: { ...headers, 'idempotency-key': 'enter_2_0_1718000000000' },
        body: { waiting_token: '{second}' },
        as: 'guest:vu2',
      },
      answer: { status: 403, body: error('NOT_READY') },
      next: 'counts an error',
    },
    {
      name: 'enters without a key',
      request: { method: 'POST', path: '/api/v1/queue/enter', headers, body: { waiting_token: '{first}' } },
      answer: { status: 400, body: error('IDEMPOTENCY_REQUIRED') },
      next: 'expects the refusal',
    },
    {
      name: 'leaves',
      request: { method: 'DELETE', path: '/api/v1/queue/leave?token={first}', headers, as: 'guest:vu1' },
      answer: { status: 200, body: { status: is('left'), left: boolean } },
      next: 'expects that the next visitor moves up',
    },
    {
      name: 'polls after leaving',
      request: { method: 'GET', path: '/api/v1/queue/status?token={first}', headers, as: 'guest:vu1' },
      answer: { status: 404, body: error('TOKEN_NOT_FOUND') },
      next: 'expects that the place is gone',
    },
    {
      name: 'enters',
      request: {
        method: 'POST',
        path: '/api/v1/queue/enter',
        headers: { ...headers, 'idempotency-key': 'enter_2_1_1718000000000' },
        body: { waiting_token: '{second}' },
        as: 'guest:vu2',
      },
      until: true,
      answer: { status: 200, body: { admission: is('granted'), reservation_token: jwt, ttl_sec: whole } },
      next: 'counts a success',
    },
    {
      name: 'is refused with a token in the form of a JWT that is not genuine',
      request: {
        method: 'GET',
        path: '/api/v1/queue/status?token={second}',
        headers: { authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl' },
      },
      answer: { status: 401, body: error('INVALID_TOKEN') },
      next: 'signs in again',
    },
  ],
};
