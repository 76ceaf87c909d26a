import type { Contract } from '../contract.ts';
import { is, jwt, maybe, number, whole } from '../shapes.ts';

const join = { event_id: 'concert', user_id: 'anonymous' };

/**
 * The page `/queue` of Traffic Tacos' React client. It is on another origin and sends no cookies: the waiting token is all
 * that it has. It enters by itself, but only while `status` is `waiting`.
 */
export const contract: Contract = {
  name: 'tacos: queue page',
  env: {},
  room: { maxActive: 1, admission: 'claim', readyStatus: 'waiting', claimTtlMs: 20_000 },
  exchanges: [
    {
      name: 'joins a room with a free slot',
      request: {
        method: 'POST',
        path: '/api/v1/queue/join',
        headers: { 'idempotency-key': '0b0e6f1e-6c0f-4b61-9b3e-1c2d3e4f5a60', 'x-trace-id': 'a' },
        body: join,
      },
      answer: { status: 202, body: { waiting_token: jwt, position_hint: whole } },
      keep: { first: 'waiting_token' },
      next: 'stores waiting_token and opens /queue',
    },
    {
      name: 'joins a full room',
      request: {
        method: 'POST',
        path: '/api/v1/queue/join',
        headers: { 'idempotency-key': '0b0e6f1e-6c0f-4b61-9b3e-1c2d3e4f5a61', 'x-trace-id': 'b' },
        body: join,
      },
      answer: { status: 202, body: { waiting_token: jwt, position_hint: is(1) } },
      keep: { second: 'waiting_token' },
      next: 'stores waiting_token and opens /queue',
    },
    {
      name: 'polls every 2 s while it waits',
      request: { method: 'GET', path: '/api/v1/queue/status?token={second}' },
      answer: {
        status: 200,
        body: {
          ...{ status: is('waiting'), position: is(1), eta_sec: maybe(number), waiting_time: whole },
          ready_for_entry: is(false),
        },
      },
      next: 'shows position, eta_sec and waiting_time',
    },
    {
      name: 'leaves by the button',
      request: { method: 'DELETE', path: '/api/v1/queue/leave?token={first}' },
      answer: { status: 200, body: { status: is('left') } },
      next: 'forgets the token and opens /',
    },
    {
      name: 'sees that it left',
      request: { method: 'GET', path: '/api/v1/queue/status?token={first}' },
      answer: { status: 200, body: { status: is('expired'), ready_for_entry: is(false) } },
      next: 'says that the place is gone',
    },
    {
      name: 'learns of its turn while its status is still waiting',
      request: { method: 'GET', path: '/api/v1/queue/status?token={second}' },
      until: true,
      answer: { status: 200, body: { status: is('waiting'), ready_for_entry: is(true), position: whole } },
      next: 'enters at once',
    },
    {
      name: 'enters',
      request: {
        method: 'POST',
        path: '/api/v1/queue/enter',
        headers: { 'idempotency-key': '0b0e6f1e-6c0f-4b61-9b3e-1c2d3e4f5a62' },
        body: { waiting_token: '{second}' },
      },
      answer: { status: 200, body: { admission: is('granted'), reservation_token: jwt, ttl_sec: whole } },
      next: 'stores reservation_token for ttl_sec seconds and opens /reserve',
    },
  ],
};
