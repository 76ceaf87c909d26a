import { expect, it } from 'vitest';
import { isTokenForm } from '../../../src/platform/jwt/token-form.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

it('accepts exactly the signatures that an encoder writes', () => {
  for (let bytes = 3; bytes <= 9; bytes += 1) {
    const start = Buffer.alloc(bytes, 0x5a).toString('base64url').slice(0, -1);
    for (const last of ALPHABET) {
      const signature = start + last;
      const isWritten = Buffer.from(signature, 'base64url').toString('base64url') === signature;
      expect(isTokenForm(`a.b.${signature}`), signature).toBe(isWritten);
    }
  }
});

it.each([
  ['a signature of one group and one character', 'a.b.AAAAA'],
  ['no signature', 'a.b.'],
  ['a signature of less than a group', 'a.b.AA'],
  ['a missing part', 'a.AAAA'],
  ['an empty part', 'a..AAAA'],
  ['a fourth part', 'a.b.c.AAAA'],
  ['a line end', 'a.b.AAAA\n'],
  ['white space', 'a.b b.AAAA'],
  ['padding', 'a.b.AA=='],
  ['a letter outside ASCII', 'a.b.AAAAÀAAA'],
  ['the other base64', 'a.b.AA+/'],
])('refuses %s', (_what, token) => {
  expect(isTokenForm(token)).toBe(false);
});

it('refuses what is too long', () => {
  expect(isTokenForm('a.b.AAAA', 8)).toBe(true);
  expect(isTokenForm('a.b.AAAA', 7)).toBe(false);
});
