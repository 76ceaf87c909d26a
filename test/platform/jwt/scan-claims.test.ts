import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanClaims } from '../../../src/platform/jwt/scan-claims.ts';

/** As it stands in a buffer that had something longer in it before. */
function read(text: string, leftBehind = '') {
  const bytes = Buffer.from(text);
  return scanClaims(Buffer.concat([bytes, Buffer.from(leftBehind)]), bytes.length);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return 'no JSON';
  }
}

describe('plain claims', () => {
  it('are read as they are meant', () => {
    for (const claims of [
      { sub: 'user-1', iat: 1_767_225_600, exp: 1_767_226_200 },
      { sub: '', exp: 1 },
      { jti: 'a.b_c-d~', sub: "it's #1", roles: 'a,b:{c}', exp: 999_999_999_999_999 },
      { constructor: 'x', sub: 'valueOf' },
    ]) {
      const text = JSON.stringify(claims);
      expect(read(text)).toEqual(claims);
      expect(read(text, '"}')).toEqual(claims);
    }
  });

  it('are left to others where they are anything but plain', () => {
    for (const text of [
      '',
      '{',
      '{}',
      '{"sub"}',
      '{"sub":}',
      '{"sub":"a"',
      '{"sub":"a}',
      '{"sub":"a",}',
      '{"sub":"a"}}',
      '{"sub":"a"} ',
      '{ "sub":"a"}',
      '{"sub":"a\\"b"}',
      '{"sub":"a\\nb"}',
      '{"sub":"é"}',
      '{"sub":"\t"}',
      '{"":"a"}',
      '{"__proto__":"a"}',
      '{"exp":01}',
      '{"exp":-1}',
      '{"exp":1.5}',
      '{"exp":1e3}',
      '{"exp":12345678901234567}',
      '{"exp":123456789012345678901234567890}',
      '{"aud":["a"]}',
      '{"ok":true}',
      '[1]',
    ]) {
      for (const leftBehind of ['', '"}', ',"sub":"b"}', '9}']) {
        const claims = read(text, leftBehind);
        if (claims !== undefined) expect({ text, claims }).toEqual({ text, claims: parse(text) });
      }
    }
  });

  it('say what JSON says, whatever the bytes', () => {
    const piece = fc.constantFrom(...'{}":,\\n09az _-Aé\u0000'.split(''), '"sub":', '"exp":', '"a"', '12', '{"', '"}');
    const text = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          text.map((inner) => `{"sub":"a",${inner}}`),
          fc.json(),
        ),
        text,
        (written, behind) => {
          const claims = read(written, behind);
          if (claims !== undefined) expect(claims).toEqual(parse(written));
        },
      ),
      { numRuns: 20_000 },
    );
  });
});
