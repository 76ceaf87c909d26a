import { describe, expect, it } from 'vitest';
import { codeAt, findStep, fromBase32, stepAt, toBase32, toOtpauthUri } from '../../src/identity/totp.ts';

const secret = Buffer.from('12345678901234567890');

describe('one-time codes', () => {
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('at %i s are those of RFC 6238, appendix B', (seconds, code) => {
    expect(codeAt(secret, stepAt(seconds), 8)).toBe(code);
    expect(codeAt(secret, stepAt(seconds))).toBe(code.slice(2));
  });

  it('are accepted one step early or late, and no further', () => {
    const now = stepAt(1_000_000);
    const steps = [-2, -1, 0, 1, 2].map((offset) => findStep(secret, codeAt(secret, now + offset), 1_000_000));
    expect(steps).toEqual([undefined, now - 1, now, now + 1, undefined]);
    for (const text of ['', '12345', '1234567', 'abcdef']) expect(findStep(secret, text, 1_000_000)).toBeUndefined();
  });
});

describe('base32', () => {
  it.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('of %j is that of RFC 4648', (text, encoded) => {
    expect(toBase32(Buffer.from(text))).toBe(encoded);
    expect(fromBase32(encoded).toString()).toBe(text);
  });
});

it('names the account and the issuer in the link for the app', () => {
  expect(toOtpauthUri('MZXW6', 'ann+ops@example.org', 'Fairline')).toBe(
    'otpauth://totp/Fairline:ann%2Bops%40example.org?secret=MZXW6&issuer=Fairline&algorithm=SHA1&digits=6&period=30',
  );
});
