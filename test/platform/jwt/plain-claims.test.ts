import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPlainClaims } from '../../../src/platform/jwt/plain-claims.ts';

/** `leftBehind`: what an earlier, longer token has left in the buffer. */
function read(text: string, leftBehind = '') {
  const bytes = Buffer.from(text);
  return readPlainClaims(Buffer.concat([bytes, Buffer.from(leftBehind)]), bytes.length);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return 'no JSON';
  }
}

const name = fc.stringMatching(/^[a-z]{1,12}$/);
const plainText = fc.stringMatching(/^[ !#-[\]-~]{0,40}$/);
const plainNumber = fc.integer({ min: 1, max: 999_999_999_999_999 });
const leftBehind = fc.constantFrom('', '"}', ',"sub":"b"}', '9}');

describe('plain claims', () => {
  it('reads every flat object of plain strings and integers', () => {
    const claims = fc.dictionary(name, fc.oneof(plainText, plainNumber), {
      minKeys: 1,
      maxKeys: 6,
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(claims, leftBehind, (written, behind) => {
        expect(read(JSON.stringify(written), behind)).toEqual(written);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
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
    '{"__proto__":"a"}',
    '{"exp":01}',
    '{"exp":-1}',
    '{"exp":1.5}',
    '{"exp":1e3}',
    '{"exp":12345678901234567}',
    '{"aud":["a"]}',
    '{"ok":true}',
    '[1]',
  ])('leaves %s to JSON.parse, whatever an earlier token has left behind', (text) => {
    for (const behind of ['', '"}', ',"sub":"b"}', '9}']) {
      const claims = read(text, behind);
      if (claims !== undefined) expect(claims).toEqual(parse(text));
    }
    expect(read(text)).toBeUndefined();
  });

  it('never differs from JSON.parse', () => {
    const piece = fc.constantFrom(...'{}":,\\n09az _-Aé\u0000'.split(''), '"sub":', '"exp":', '"a"', '12', '{"', '"}');
    const text = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));
    const written = fc.oneof(
      text,
      text.map((inner) => `{"sub":"a",${inner}}`),
      fc.json(),
    );
    fc.assert(
      fc.property(written, text, (json, behind) => {
        const claims = read(json, behind);
        if (claims !== undefined) expect(claims).toEqual(parse(json));
      }),
      { numRuns: 20_000 },
    );
  });
});
