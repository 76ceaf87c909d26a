/** A site may read a URL in another way than the gate. No spelling of a protected URL passes without a token. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ActiveEvents, fixedEvents } from '../../src/gate/lookups/active-events.ts';
import { bookOf, createGateWorld, summarize } from '../gate/gate-world.ts';
import { rules } from './conformance.ts';

const book = bookOf(rules);
/** Path and query apart: mutations change one of them. */
const protectedUrls = [
  ['/api/reservations', ''],
  ['/api/reservations/17/cancel', 'a=1'],
  ['/api/orders', 'event=concert'],
  ['/shop/concert', ''],
  ['/shop/concert/checkout', ''],
  ['/events/7', ''],
  ['/events/7/seats', 'row=1'],
] as const;

/** What frameworks ignore, strip, decode or fold. `n` picks a place or a variant. */
const pathMutations: Record<string, (path: string, n: number) => string> = {
  suffix: (path, n) =>
    path + pick(['.json', '.html', '.xml', '.php', '.', '..', '(1)', ':x', ',x', '~', '!', '$x', "'", '@2', '*'], n),
  inner: (path, n) => atSlash(path, n, pick(['.json/', ';v=1/', '%20/', './', ',x/', '(1)/'], n)),
  matrix: (path, n) => path + pick([';', ';jsessionid=1', ';.css', '%3b', '%3Bx=1'], n),
  'trailing slash': (path) => `${path}/`,
  'double slash': (path, n) => atSlash(path, n, '//'),
  'dot segment': (path, n) =>
    atSlash(path, n, pick(['/./', '/x/../', '/%2e/', '/x/%2e%2e/', '/x/.%2E/', '/x/..;/'], n)),
  slash: (path, n) =>
    atSlash(path, n, pick(['%2f', '%2F', '%5c', '\\', '%252f', '%c0%af', '%e2%88%95', '%ef%bc%8f', '/%00/'], n)),
  case: (path, n) => change(path, n, (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())),
  encode: (path, n) => change(path, n, (c) => `%${c.charCodeAt(0).toString(16)}`),
  'encode twice': (path, n) => change(path, n, (c) => `%25${c.charCodeAt(0).toString(16)}`),
  'full width': (path, n) => change(path, n, (c) => encodeURIComponent(String.fromCharCode(c.charCodeAt(0) + 0xfee0))),
  invisible: (path, n) =>
    change(path, n, (c) => c + pick(['%E2%80%8B', '%C2%AD', '%EF%BB%BF', '%CC%81', '%E2%80%8D', '%EF%B8%8F'], n)),
  space: (path, n) => atSlash(path, n, pick(['/%20', '/%09', '/%C2%A0', '/%E3%80%80', '/%0a', '%20/', '%C2%A0/'], n)),
  end: (path, n) => path + pick(['%20', '%00', '%09', '%0d%0a', '%C2%A0', '%E2%80%8B', '%2e', '%23x', '%3fx'], n),
  script: (path, n) =>
    pick([`/index.php${path}`, `/app.cgi${path}`, `${path}/index.php`, `${path}/index.html`, `/x.aspx${path}`], n),
};
const queryMutations: Record<string, (query: string, n: number) => string> = {
  method: (query, n) => join(query, pick(['_method=GET', '_METHOD=get', '_method=OPTIONS', 'a=1;_method=GET'], n)),
  again: (query, n) =>
    join(
      query,
      pick(
        [
          'event=quiet',
          'event[]=quiet',
          '+event=quiet',
          'x=1;event=quiet',
          'EVENT=quiet',
          'event%00=quiet',
          'event.x=quiet',
          'ev%65nt=quiet',
        ],
        n,
      ),
    ),
};

const mutation = fc.tuple(
  fc.constantFrom(...Object.keys(pathMutations), ...Object.keys(queryMutations)),
  fc.nat(10_000),
);

describe('a protected URL in any spelling', () => {
  const { ask } = createGateWorld({ book, activeEvents: ['concert', '7'] });

  it('never passes without a token', () => {
    const kinds = new Set<string>();
    fc.assert(
      fc.property(
        fc.constantFrom(...protectedUrls),
        fc.array(mutation, { maxLength: 3 }),
        ([path, query], mutations) => {
          let url: { path: string; query: string } = { path, query };
          for (const [kind, n] of mutations) {
            kinds.add(kind);
            const ofPath = pathMutations[kind];
            url =
              ofPath === undefined
                ? { ...url, query: queryMutations[kind]!(url.query, n) }
                : { ...url, path: ofPath(url.path, n) };
          }
          const target = url.query === '' ? url.path : `${url.path}?${url.query}`;
          const decision = ask('GET', target, { who: null, device: null });
          if (decision.outcome === 'pass') throw new Error(`${target} passed`);
        },
      ),
      { numRuns: 20_000 },
    );
    expect(kinds.size).toBe(Object.keys(pathMutations).length + Object.keys(queryMutations).length);
  });

  it.each(['http://site', '//site', '\\', '.', 'x', 'https://site:443', '*'])(
    'after %s does not pass without a token',
    (before) => {
      for (const [path, query] of protectedUrls) {
        expect(ask('GET', `${before}${path}?${query}`, { who: null }).outcome).toBe('deny');
      }
    },
  );

  it('does not pass with a token of another event', () => {
    const { ask: askAs, entry } = createGateWorld({ book, activeEvents: [] });
    const spelled = fc.tuple(fc.constantFrom(...Object.keys(queryMutations)), fc.nat(10_000));
    fc.assert(
      fc.property(fc.array(spelled, { maxLength: 3 }), (mutations) => {
        const query = mutations.reduce((text, [kind, n]) => queryMutations[kind]!(text, n), 'event=concert');
        expect(askAs('GET', `/api/orders?${query}`, { entryToken: entry('quiet') }).outcome).toBe('deny');
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a rule', () => {
  const { ask, entry } = createGateWorld({ book, activeEvents: [] });

  it('protects a suffix of its path, but not another word', () => {
    expect(summarize(ask('GET', '/api/reservations.json', { who: null }))).toBe('403 ENTRY_TOKEN_REQUIRED /queue');
    for (const path of [
      '/api/reservations-help',
      '/api/reservationsnew',
      '/api/reservations_2',
      '/api/reservations공연',
    ]) {
      expect(summarize(ask('GET', encodeURI(path), { who: null }))).toBe('pass');
    }
  });

  it('in another script matches the same text in decomposed form', () => {
    const korean = createGateWorld({
      book: bookOf({ otherwise: 'pass', rules: [{ path: '/공연/{eventId}', require: 'entry' }] }),
    });
    for (const form of ['NFC', 'NFD']) {
      expect(summarize(korean.ask('GET', encodeURI('/공연/concert'.normalize(form))))).toMatch(/^403/);
    }
  });

  it('that is open matches only its exact path', () => {
    const open = createGateWorld({
      book: bookOf({ otherwise: 'deny', rules: [{ path: '/public/**', require: 'none' }] }),
    });
    expect(summarize(open.ask('GET', '/public/a.css'))).toBe('pass');
    for (const path of ['/public.json', '/Public', '/public(1)'])
      expect(summarize(open.ask('GET', path))).toBe('403 NOT_OPEN');
  });

  it('accepts other query parameters, also with semicolons in their values', () => {
    const sent = { entryToken: entry() };
    for (const query of [
      'event=concert&note=a;b',
      'method=card&event=concert',
      'events=2&event=concert',
      'event=concert&eventful=1',
    ]) {
      expect(summarize(ask('GET', `/api/orders?${query}`, sent)), query).toBe('pass');
    }
  });
});

describe('a page behind tier 1', () => {
  it('does not say which event was waited for while tier 1 is off', () => {
    const { ask, vwr } = createGateWorld({ book, activeEvents: ['concert'] });
    expect(ask('GET', '/events/quiet')).toMatchObject({ outcome: 'pass', eventId: undefined });
    expect(ask('GET', '/events/concert', { vwrToken: vwr() })).toMatchObject({ outcome: 'pass', eventId: 'concert' });
  });
});

describe('an event id that frameworks read as the number of an active event', () => {
  const active = new ActiveEvents(fixedEvents(['7', '12', 'tour-9']));

  it.each([
    '7',
    '07',
    '007',
    '7abc',
    '7-tour',
    '0x7',
    '0X7',
    '0b111',
    '0o7',
    '7e0',
    '70e-1',
    '1_2',
    '014',
    '4294967303',
  ])('%s is active', (id) => {
    expect(active.has(id)).toBe(true);
  });

  it.each(['8', '70', '17', 'a7', 'x7', '77', 'tour', '9', '0', '4294967304'])('%s is another event', (id) => {
    expect(active.has(id)).toBe(false);
  });
});

describe('a CDN that has proved itself', () => {
  const { ask } = createGateWorld({ book, activeEvents: [] });
  const more = { 'x-cloudfront-verified': 'cdn-secret-of-the-tests-0123456789abcdef' };
  const said = { ...more, 'x-fairline-event': 'concert', 'x-fairline-visitor': encodeURIComponent('미나') };

  it('says the event and the visitor', () => {
    const found = { outcome: 'pass', eventId: 'concert', visitor: '미나' };
    expect(ask('GET', '/api/carts/1', { more: said })).toMatchObject({ outcome: 'pass', eventId: undefined });
    expect(ask('POST', '/api/carts/1', { more: said })).toMatchObject(found);
    expect(ask('GET', '/shop/concert', { more: said })).toMatchObject(found);
  });

  it('is not believed for another event than that of the path, or if it does not say one', () => {
    expect(summarize(ask('GET', '/shop/quiet', { more: said }))).toBe('302 /queue/quiet');
    expect(summarize(ask('POST', '/api/carts/1', { more }))).toBe('403 ENTRY_TOKEN_REQUIRED /queue');
    const { 'x-cloudfront-verified': _, ...unproven } = said;
    expect(summarize(ask('GET', '/shop/concert', { more: unproven }))).toBe('302 /queue/concert');
  });
});

const pick = (variants: readonly string[], n: number) => variants[n % variants.length]!;
const join = (query: string, more: string) => (query === '' ? more : `${query}&${more}`);

function atSlash(path: string, n: number, text: string): string {
  const parts = path.split('/');
  const at = 1 + (n % Math.max(1, parts.length - 1));
  // A suffix belongs to a word: after an empty segment or a dot it would be another path.
  if (text[0] !== '/' && !text.startsWith('%') && !/\w$/.test(parts[at - 1]!)) return path;
  return parts.slice(0, at).join('/') + text + parts.slice(at).join('/');
}

function change(path: string, n: number, to: (character: string) => string): string {
  const places = [...path.matchAll(/(?<!%.?)[a-z0-9]/gi)].map(({ index }) => index);
  const at = places[n % Math.max(1, places.length)];
  return at === undefined ? path : path.slice(0, at) + to(path[at]!) + path.slice(at + 1);
}
