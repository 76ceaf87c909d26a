/** The page that a visitor wanted: what may be one, whatever a browser or a server makes of it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOwnTarget, isWaitingPage, toWantedPage, withWantedPage } from '../../src/http/wanted-page.ts';

const ORIGIN = 'https://shop.example';

describe('a wanted page', () => {
  it.each([
    '/',
    '/shop/demo-concert/seats/12?ref=mail',
    '/shop/%EA%B3%B5%EC%97%B0?name=%EA%B0%80&next=https%3A%2F%2Fother.example%2F',
    '/shop/?q=a//b/../c',
    "/shop/o'brien(1)*!",
    '/queues/1',
    '/shop/queue',
  ])('can be %s', (to) => {
    expect(toWantedPage(to)).toBe(to);
  });

  it.each([
    '',
    'shop',
    '?ref=mail',
    'https://evil.example/',
    '//evil.example/',
    '///evil.example/',
    '/\\evil.example',
    '\\\\evil.example',
    '/%5Cevil.example',
    '/%5cevil.example',
    '/%2Fevil.example',
    '/%2f%2fevil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/%2e//evil.example',
    '/shop/..//evil.example',
    '/shop/%2E%2e/admin',
    '/./queue/demo',
    '/shop//evil.example',
    '/\tevil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/%09/evil.example',
    '/shop/%00',
    ' /shop',
    '/shop ',
    '/shop#fragment',
    '/shop?a=\\',
    '/공연',
    '/shop/%E0%A4%A',
    'javascript:alert(1)',
    '/queue',
    '/queue/demo?to=/shop',
    '/queue?x',
    '/%71ueue/demo',
    '/QUEUE/demo',
    '/vwr/demo',
    '/vwr-api/vwr/status/demo',
    `/${'a'.repeat(1_024)}`,
  ])('cannot be %j', (to) => {
    expect(toWantedPage(to)).toBeUndefined();
  });

  it.each([undefined, null, 7, ['/shop'], { to: '/shop' }])('cannot be %j, which is not text', (to) => {
    expect(toWantedPage(to)).toBeUndefined();
  });

  /** Texts made of what matters to parsers of URLs. */
  const pieces = [
    '/',
    '//',
    '\\',
    '.',
    '..',
    '%2e',
    '%2F',
    '%5c',
    '%09',
    '\t',
    '\n',
    '\r',
    ' ',
    '?',
    '#',
    '@',
    ':',
    ';',
    '&',
  ];
  const words = [
    'evil.example',
    'shop',
    'queue',
    'vwr',
    'http:',
    'https:',
    'javascript:',
    '%',
    '%25',
    '가',
    '／',
    '。',
    '\0',
    'a',
  ];
  const hostile = fc
    .array(fc.oneof(fc.constantFrom(...pieces, ...words), fc.string({ maxLength: 3 })), { maxLength: 12 })
    .map((parts) => parts.join(''));
  const anyText = fc.oneof(
    hostile,
    hostile.map((text) => `/${text}`),
    fc.string({ unit: 'binary' }),
    fc.webUrl(),
  );

  it('never leads to another origin, to another path than it says, or to a waiting page', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const wanted = toWantedPage(text);
        if (wanted === undefined) return;
        for (const reading of [wanted, new URL(wanted, ORIGIN).href, decodePath(wanted)]) {
          const url = new URL(reading, ORIGIN);
          expect(url.origin).toBe(ORIGIN);
          expect(url.pathname.startsWith('//')).toBe(false);
          expect(url.pathname).not.toMatch(/^\/(?:queue|vwr)(?:\/|$)/i);
          expect(url.hash).toBe('');
        }
        expect(wanted.length).toBeLessThanOrEqual(1_024);
        // It survives the way through the query of a waiting page, and a server that validates it again.
        const carried = new URL(withWantedPage('/queue/demo', wanted), ORIGIN).searchParams.get('to');
        expect(toWantedPage(carried)).toBe(text);
      }),
      { numRuns: 20_000 },
    );
  });

  it('is any page of this site that a browser can name', () => {
    const segment = fc
      .string({ minLength: 1, maxLength: 8 })
      .filter((text) => !/^\.+$/.test(text) && !/[/\\]|\p{Cc}/u.test(text));
    const query = fc.string({ maxLength: 20 });
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 4 }), query, (segments, text) => {
        const path = ['/shop', ...segments.map(encodeURIComponent)].join('/');
        const to = `${path}?q=${encodeURIComponent(text)}`;
        expect(toWantedPage(to)).toBe(to);
        expect(isOwnTarget(to)).toBe(true);
      }),
    );
  });
});

describe('a target', () => {
  it.each(['/queue', '/queue/{eventId}', '/vwr/x', '/queue?a', '/Queue/x'])('%s is a waiting page', (target) => {
    expect(isWaitingPage(target)).toBe(true);
  });

  it.each(['/', '/queues', '/shop/queue', '/{eventId}'])('%s is none', (target) => {
    expect(isWaitingPage(target)).toBe(false);
  });
});

/** As a lenient server reads it: the path decoded once. */
function decodePath(target: string): string {
  const [path = '', ...query] = target.split('?');
  // A decoded ? or # would be data, not syntax.
  const decoded = decodeURIComponent(path).replace(/[?#]/g, '_');
  return query.length === 0 ? decoded : `${decoded}?${query.join('?')}`;
}
