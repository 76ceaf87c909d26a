/** What a refusal says about the page that the visitor wanted, in the decision and in every adapter. */
import { describe, expect, it } from 'vitest';
import { decide } from '../../src/gate/decision/decide.ts';
import type { Decision } from '../../src/gate/decision/decision.ts';
import type { GateRequest } from '../../src/gate/decision/gate-request.ts';
import { refuseEnded } from '../../src/gate/decision/refuse.ts';
import { bookOf, createGateWorld } from './gate-world.ts';

const book = bookOf({
  otherwise: 'pass',
  rules: [
    { path: '/shop/{eventId}/**', require: 'entry', answer: 'page' },
    { path: '/api/{eventId}/**', require: 'entry', answer: 'api' },
    { path: '/strict/{eventId}/**', require: 'entry', answer: 'page', strict: true },
  ],
});
const FORM = 'https://shop.example/shop/concert/form?step=2';

function createGate() {
  const world = createGateWorld({ book, activeEvents: [] });
  const ask = (method: string, target: string, headers: Record<string, string> = {}, more: Partial<GateRequest> = {}) =>
    decide(
      { method, target, headers: { host: 'shop.example', ...headers }, ...more },
      world.rules,
      world.keys,
      world.clock.now(),
    );
  return { ...world, ask };
}

/** The waiting page and the wanted page of a refusal. */
function toPages(decision: Decision): [string | undefined, string | null] {
  const to =
    decision.outcome === 'redirect' ? decision.to : decision.outcome === 'deny' ? decision.redirectTo : undefined;
  const url = new URL(to ?? '/none', 'https://shop.example');
  return [url.pathname, url.searchParams.get('to')];
}

describe('a refused request', () => {
  it.each(['GET', 'HEAD'])('for a page by %s carries its own target, normalized, with its query', (method) => {
    const { ask } = createGate();
    expect(ask(method, '/shop/concert/%73eats/12?ref=mail&a=%2F')).toMatchObject({
      outcome: 'redirect',
      to: `/queue/concert?to=${encodeURIComponent('/shop/concert/seats/12?ref=mail&a=%2F')}`,
      code: 'ENTRY_TOKEN_REQUIRED',
    });
  });

  it('by another method carries the page it came from, not its own target', () => {
    const { ask } = createGate();
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const decision = ask(method, '/shop/concert/order', { referer: FORM });
      expect(toPages(decision)).toEqual(['/queue/concert', '/shop/concert/form?step=2']);
    }
    expect(toPages(ask('POST', '/shop/concert/order'))).toEqual(['/queue/concert', null]);
  });

  it('to an API carries the page it came from in redirectTo', () => {
    const { ask } = createGate();
    expect(ask('GET', '/api/concert/seats', { referer: FORM })).toMatchObject({
      outcome: 'deny',
      status: 403,
      redirectTo: `/queue/concert?to=${encodeURIComponent('/shop/concert/form?step=2')}`,
    });
    expect(ask('GET', '/api/concert/seats')).toMatchObject({ redirectTo: '/queue/concert' });
  });

  it('is for a page if the browser says that it loads one, and only then', () => {
    const { ask } = createGate();
    const script = { referer: FORM, 'sec-fetch-dest': 'empty' };
    expect(toPages(ask('GET', '/shop/concert/data.json', script))[1]).toBe('/shop/concert/form?step=2');
    const navigation = { referer: FORM, 'sec-fetch-dest': 'document' };
    expect(toPages(ask('GET', '/api/concert/seats', navigation))[1]).toBe('/api/concert/seats');
    expect(toPages(ask('GET', '/shop/concert', navigation))[1]).toBe('/shop/concert');
  });

  it.each([
    ['another host', 'https://evil.example/shop/concert'],
    ['another port', 'https://shop.example:8443/shop/concert'],
    ['a host that only starts the same', 'https://shop.example.evil.example/shop/concert'],
    ['a host in the user part', 'https://shop.example@evil.example/shop/concert'],
    ['another scheme', 'ftp://shop.example/shop/concert'],
    ['no URL', 'shop.example/shop/concert'],
    ['a waiting page', 'https://shop.example/queue/concert?to=%2Fshop'],
    ['a path of another reading', 'https://shop.example/x/%2e%2e//evil.example'],
    ['an encoded backslash', 'https://shop.example/%5Cevil.example'],
    ['a page that is too long', `https://shop.example/${'a'.repeat(1_024)}`],
  ])('carries nothing of a Referer with %s', (_, referer) => {
    const { ask } = createGate();
    expect(toPages(ask('POST', '/shop/concert/order', { referer }))).toEqual(['/queue/concert', null]);
  });

  it('knows its own host by that of the adapter, then by the Host header', () => {
    const { ask } = createGate();
    const asked = (referer: string, host: string | undefined, header = 'inner:3000') =>
      toPages(ask('POST', '/shop/concert/order', { referer, host: header }, { host }))[1];
    expect(asked('https://shop.example/cart', 'shop.example')).toBe('/cart');
    expect(asked('https://shop.example/cart', 'shop.example:443')).toBe('/cart');
    expect(asked('http://shop.example:8080/cart', 'shop.example:8080')).toBe('/cart');
    expect(asked('https://shop.example/cart', undefined)).toBeNull();
    expect(asked('https://shop.example/cart', undefined, 'shop.example')).toBe('/cart');
  });

  it('for a page that is too long to carry still goes to the waiting page', () => {
    const { ask } = createGate();
    expect(toPages(ask('GET', `/shop/concert/${'a'.repeat(1_100)}`))).toEqual(['/queue/concert', null]);
  });

  it('goes to tier 1 with the wanted page too', () => {
    const { ask } = createGateWorld();
    expect(toPages(ask('GET', '/events/concert/seats?zone=A'))).toEqual([
      '/vwr/concert',
      '/events/concert/seats?zone=A',
    ]);
  });

  it('whose admission has ended carries the page as well', () => {
    const { rules, keys, clock, headers, entry } = createGate();
    const request = { method: 'GET', target: '/strict/concert/a?b=c', headers: headers({ entryToken: entry() }) };
    const decision = decide(request, rules, keys, clock.now());
    if (decision.outcome !== 'pass' || decision.strict === undefined) throw new Error('not a strict pass');
    const refusal = refuseEnded(decision.strict, { request, target: decision.target });
    expect(toPages(refusal)).toEqual(['/queue/concert', '/strict/concert/a?b=c']);
  });
});
