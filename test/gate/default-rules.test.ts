/** The default rules, cell by cell: each path with no token, one of them, the other, and both. */
import { describe, expect, it } from 'vitest';
import { createGateWorld, tell } from './gate-world.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const open = [
  '/vwr/concert',
  '/vwr/assign/concert',
  '/vwr-api/vwr/check/concert/abc',
  '/queue/concert',
  '/events/concert/tickets/waiting',
  '/api/queue/check/concert',
  '/api/v1/queue/status',
  '/api/auth/login',
  '/api/v1/auth/login',
  '/api/events',
  '/api/v1/events/concert',
  '/api/stats/overview',
  '/api/v1/stats/overview',
  '/health',
  '/actuator/health',
];

const pages = ['/events/concert', '/events/concert/', '/events/concert/seats', '/events/concert/book'];

/** Whose path names the event, and whose does not. */
const named = ['/api/seats/events/concert', '/api/v1/seats/events/concert/rows'];
const unnamed = ['/api', '/api/v1'].flatMap((prefix) => [
  `${prefix}/reservations`,
  `${prefix}/reservations/17/cancel`,
  `${prefix}/tickets/17`,
  `${prefix}/seats/reserve`,
  `${prefix}/seats/layouts`,
  `${prefix}/admin/rooms/concert`,
]);

describe.each(METHODS)('the matrix, %s', (method) => {
  it.each(open)('%s needs nothing', (path) => {
    expect(tell(createGateWorld().ask(method, path, { who: null, device: null }))).toBe('pass');
  });

  it.each(pages)('%s needs a vwr token', (path) => {
    const { ask, vwr, entry } = createGateWorld();
    expect(tell(ask(method, path))).toBe('302 /vwr/concert');
    expect(tell(ask(method, path, { entryToken: entry() }))).toBe('302 /vwr/concert');
    expect(tell(ask(method, path, { vwrToken: vwr() }))).toBe('pass');
    expect(tell(ask(method, path, { vwrToken: vwr(), who: null }))).toBe('pass');
  });

  it.each(named)('%s needs both tokens, of its event', (path) => {
    const { ask, vwr, entry } = createGateWorld();
    expect(tell(ask(method, path))).toBe('403 VWR_REQUIRED /vwr/concert');
    expect(tell(ask(method, path, { entryToken: entry() }))).toBe('403 VWR_REQUIRED /vwr/concert');
    expect(tell(ask(method, path, { vwrToken: vwr() }))).toBe('403 ENTRY_TOKEN_REQUIRED /queue/concert');
    expect(tell(ask(method, path, { vwrToken: vwr(), entryToken: entry('other') }))).toBe(
      '403 ENTRY_TOKEN_INVALID /queue/concert',
    );
    expect(tell(ask(method, path, { vwrToken: vwr(), entryToken: entry() }))).toBe('pass');
  });

  it.each(unnamed)('%s needs both tokens, of one event', (path) => {
    const { ask, vwr, entry } = createGateWorld();
    expect(tell(ask(method, path))).toBe('403 ENTRY_TOKEN_REQUIRED /queue');
    expect(tell(ask(method, path, { entryToken: entry() }))).toBe('403 VWR_REQUIRED /vwr/concert');
    expect(tell(ask(method, path, { vwrToken: vwr() }))).toBe('403 ENTRY_TOKEN_REQUIRED /queue/concert');
    expect(tell(ask(method, path, { vwrToken: vwr('other'), entryToken: entry() }))).toBe(
      '403 VWR_TOKEN_INVALID /vwr/concert',
    );
    expect(tell(ask(method, path, { vwrToken: vwr(), entryToken: entry() }))).toBe('pass');
  });

  it('asks for no vwr token where the event has no waiting room before the site', () => {
    const { ask, entry } = createGateWorld({ activeEvents: ['other'] });
    expect(tell(ask(method, '/events/concert', { who: null }))).toBe('pass');
    expect(tell(ask(method, '/api/seats/events/concert'))).toBe('403 ENTRY_TOKEN_REQUIRED /queue/concert');
    expect(tell(ask(method, '/api/seats/events/concert', { entryToken: entry() }))).toBe('pass');
    expect(tell(ask(method, '/api/reservations', { entryToken: entry() }))).toBe('pass');
  });

  it('lets pass what no rule knows', () => {
    expect(tell(createGateWorld().ask(method, '/assets/logo.svg', { who: null }))).toBe('pass');
  });
});

describe('a gate before it has heard which events are active', () => {
  it('takes all of them to be', () => {
    const { ask } = createGateWorld({ activeEvents: 'all' });
    expect(tell(ask('GET', '/events/anything'))).toBe('302 /vwr/anything');
  });
});
