/** The default rules: each path with no token, with either token, and with both. */
import { describe, expect, it } from 'vitest';
import { createGateWorld, summarize } from './gate-world.ts';

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

/** Paths that name the event, and paths that do not. */
const named = ['/api/seats/events/concert', '/api/v1/seats/events/concert/rows'];
const unnamed = ['/api', '/api/v1'].flatMap((prefix) => [
  `${prefix}/reservations`,
  `${prefix}/reservations/17/cancel`,
  `${prefix}/tickets/17`,
  `${prefix}/seats/reserve`,
  `${prefix}/seats/layouts`,
  `${prefix}/admin/rooms/concert`,
]);

describe.each(METHODS)('the default rules for %s', (method) => {
  it.each(open)('%s requires no token', (path) => {
    expect(summarize(createGateWorld().ask(method, path, { who: null, device: null }))).toBe('pass');
  });

  it.each(pages)('%s requires a vwr token', (path) => {
    const { ask, vwr, entry } = createGateWorld();
    expect(summarize(ask(method, path))).toBe('302 /vwr/concert');
    expect(summarize(ask(method, path, { entryToken: entry() }))).toBe('302 /vwr/concert');
    expect(summarize(ask(method, path, { vwrToken: vwr() }))).toBe('pass');
    expect(summarize(ask(method, path, { vwrToken: vwr(), who: null }))).toBe('pass');
  });

  it.each(named)('%s requires both tokens, of the event in the path', (path) => {
    const { ask, vwr, entry } = createGateWorld();
    expect(summarize(ask(method, path))).toBe('403 VWR_REQUIRED /vwr/concert');
    expect(summarize(ask(method, path, { entryToken: entry() }))).toBe('403 VWR_REQUIRED /vwr/concert');
    expect(summarize(ask(method, path, { vwrToken: vwr() }))).toBe('403 ENTRY_TOKEN_REQUIRED /queue/concert');
    expect(summarize(ask(method, path, { vwrToken: vwr(), entryToken: entry('other') }))).toBe(
      '403 ENTRY_TOKEN_INVALID /queue/concert',
    );
    expect(summarize(ask(method, path, { vwrToken: vwr(), entryToken: entry() }))).toBe('pass');
  });

  it.each(unnamed)('%s requires both tokens, of the same event', (path) => {
    const { ask, vwr, entry } = createGateWorld();
    expect(summarize(ask(method, path))).toBe('403 ENTRY_TOKEN_REQUIRED /queue');
    expect(summarize(ask(method, path, { entryToken: entry() }))).toBe('403 VWR_REQUIRED /vwr/concert');
    expect(summarize(ask(method, path, { vwrToken: vwr() }))).toBe('403 ENTRY_TOKEN_REQUIRED /queue/concert');
    expect(summarize(ask(method, path, { vwrToken: vwr('other'), entryToken: entry() }))).toBe(
      '403 VWR_TOKEN_INVALID /vwr/concert',
    );
    expect(summarize(ask(method, path, { vwrToken: vwr(), entryToken: entry() }))).toBe('pass');
  });

  it('require no vwr token while tier 1 is off for the event', () => {
    const { ask, entry } = createGateWorld({ activeEvents: ['other'] });
    expect(summarize(ask(method, '/events/concert', { who: null }))).toBe('pass');
    expect(summarize(ask(method, '/api/seats/events/concert'))).toBe('403 ENTRY_TOKEN_REQUIRED /queue/concert');
    expect(summarize(ask(method, '/api/seats/events/concert', { entryToken: entry() }))).toBe('pass');
    expect(summarize(ask(method, '/api/reservations', { entryToken: entry() }))).toBe('pass');
  });

  it('pass a path that no rule matches', () => {
    expect(summarize(createGateWorld().ask(method, '/assets/logo.svg', { who: null }))).toBe('pass');
  });
});

describe('a gate that does not know yet which events are active', () => {
  it('treats all events as active', () => {
    const { ask } = createGateWorld({ activeEvents: 'all' });
    expect(summarize(ask('GET', '/events/anything'))).toBe('302 /vwr/anything');
  });
});
