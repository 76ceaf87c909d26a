import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCookie } from '../../../src/platform/http-server/cookies.ts';

/** As RFC 6265 defines it: pairs between semicolons; the first with that name counts. */
function readByPieces(header: string, name: string): string | undefined {
  const pieces = header.split(';').map((piece) => piece.replace(/^[ \t]+|[ \t]+$/g, ''));
  return pieces.find((piece) => piece.startsWith(`${name}=`))?.slice(name.length + 1);
}

describe('readCookie', () => {
  it('finds a cookie only by its whole name', () => {
    expect(readCookie('a=1; token=2;b=3', 'token')).toBe('2');
    expect(readCookie('my-token=1;token=2', 'token')).toBe('2');
    expect(readCookie('x=token=1', 'token')).toBeUndefined();
    expect(readCookie('x=1 token=2', 'token')).toBeUndefined();
    expect(readCookie('token=1; token=2', 'token')).toBe('1');
    expect(readCookie('token=', 'token')).toBe('');
    expect(readCookie(undefined, 'token')).toBeUndefined();
  });

  it('agrees with splitting the header, for any header', () => {
    const bits = fc.constantFrom(
      'token',
      'token=',
      '=',
      ';',
      ' ',
      '\t',
      'a',
      'tok',
      '; token=x',
      ';token=',
      'my-token=1',
    );
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 12 }), (chosen) => {
        const header = chosen.join('');
        expect(readCookie(header, 'token')).toBe(readByPieces(header, 'token'));
      }),
      { numRuns: 5_000 },
    );
  });
});
