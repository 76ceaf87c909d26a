import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readQueryField } from '../../src/gate/decision/query-fields.ts';
import { readTarget } from '../../src/gate/decision/request-target.ts';

describe('a request target', () => {
  it.each([
    ['an encoded slash', '/api%2fseats'],
    ['an encoded slash, in capitals', '/api/%2F/seats'],
    ['double encoding', '/api/%2573eats'],
    ['a double-encoded slash', '/api%252fseats'],
    ['a dot segment', '/x/../api/seats'],
    ['a single dot', '/./api/seats'],
    ['an encoded dot segment', '/x/%2e%2e/api/seats'],
    ['a half-encoded dot segment', '/x/.%2E/api/seats'],
    ['a double slash', '//api/seats'],
    ['a double slash in the middle', '/api//seats'],
    ['a double slash at the end', '/api/seats//'],
    ['a backslash', '/api\\seats'],
    ['an encoded backslash', '/api%5cseats'],
    ['NUL', '/api/seats%00.css'],
    ['a line break', '/api/seats%0d%0aX:1'],
    ['a trailing dot', '/api/seats.'],
    ['a trailing dot before a slash', '/api./seats'],
    ['three dots', '/.../api'],
    ['a trailing space', '/api/seats%20'],
    ['a path parameter', '/api/seats;jsessionid=1/2'],
    ['an encoded path parameter', '/api/seats%3Bx/2'],
    ['an encoded question mark', '/api/seats%3Fx'],
    ['an encoded hash', '/api/seats%23x'],
    ['a fragment', '/api/seats#x'],
    ['overlong UTF-8', '/api%c0%afseats'],
    ['half a character', '/api/se%C3ts'],
    ['a percent sign that encodes nothing', '/api/%zz'],
    ['a full-width slash', '/api%EF%BC%8Fseats'],
    ['a full-width letter', '/api/%EF%BD%93eats'],
    ['a long s', '/api/%C5%BFeats'],
    ['a dotless i', '/ap%C4%B1/seats'],
    ['an absolute URL', 'http://elsewhere/api/seats'],
    ['no slash', '*'],
    ['raw bytes', '/api/se\u00e4ts'],
    ['a space', '/api/se ats'],
    ['nothing', ''],
    ['a path that is too long', `/${'a'.repeat(2048)}`],
    ['a query that is too long', `/?${'a'.repeat(4096)}`],
  ])('is refused with %s', (_what, target) => {
    expect(readTarget(target)).toMatchObject({ outcome: 'ambiguous', why: expect.any(String) });
  });

  it.each([
    ['/', [], '/'],
    ['/api/seats/', ['api', 'seats'], '/api/seats/'],
    ['/api/%73eats?x=%2f..', ['api', 'seats'], '/api/seats?x=%2f..'],
    ['/%ea%b3%b5%ec%97%b0/1', ['공연', '1'], '/%EA%B3%B5%EC%97%B0/1'],
    ['/a:b@c,d=e+f!$&(g)', ['a:b@c,d=e+f!$&(g)'], '/a:b@c,d=e+f!$&(g)'],
    ['/.well-known/x', ['.well-known', 'x'], '/.well-known/x'],
    ['/100%25', ['100%'], '/100%25'],
    ['/stra%C3%9Fe', ['straße'], '/stra%C3%9Fe'],
  ])('%s is read as %j and normalized to %s', (target, segments, normal) => {
    expect(readTarget(target)).toMatchObject({ outcome: 'clear', segments, normal });
  });

  it('reads the same after normalization, and as the WHATWG URL parser reads it', () => {
    const character = fc.constantFrom(...'aZ09-._~%25%2e%2F%5C/\\;?#:@ä%C3%A4%41 '.split(''), '%2e', '%41', '%C3%A4');
    fc.assert(
      fc.property(fc.array(character, { maxLength: 12 }), (characters) => {
        const read = readTarget(`/${characters.join('')}`);
        if (read.outcome === 'ambiguous') return;
        expect(readTarget(read.normal)).toEqual(read);
        const { pathname, search } = new URL(`http://site${read.normal}`);
        const parsed = pathname.split('/').slice(1).map(decodeURIComponent);
        expect(parsed.filter((segment) => segment !== '')).toEqual(read.segments);
        expect(search.slice(1)).toBe(new URL(`http://site/?${read.query}`).search.slice(1));
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('a query parameter', () => {
  it('is read if it occurs once, in the exact case', () => {
    expect(readQueryField('a=1&eventId=con%63ert', 'eventId')).toEqual({ found: 'one', value: 'concert' });
    expect(readQueryField('a=1', 'eventId')).toEqual({ found: 'none' });
    expect(readQueryField('eventId=a&eventId=b', 'eventId')).toEqual({ found: 'many' });
    expect(readQueryField('eventId=a&EVENTID=b', 'eventId')).toEqual({ found: 'many' });
    expect(readQueryField('EVENTID=b', 'eventId')).toEqual({ found: 'many' });
  });
});
