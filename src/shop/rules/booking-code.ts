/** Booking codes such as FL-7K2M-94: short enough to read over the telephone. */

/** Without 0, 1, I, L, O: they look alike. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const LENGTH = 6;
const PREFIX = 'FL';

/** `randomBelow(n)`: a random integer from 0 to n - 1, unpredictable: codes must not be guessed from one another. */
export function createBookingCode(randomBelow: (limit: number) => number): string {
  return toForm(Array.from({ length: LENGTH }, () => ALPHABET[randomBelow(ALPHABET.length)]).join(''));
}

/** The code that a person typed, in its one form: case, spaces and hyphens do not matter. undefined: it cannot be a code. */
export function readBookingCode(text: string): string | undefined {
  const letters = text.toUpperCase().replace(/[\s\u2010-\u2015-]/g, '');
  const code = letters.length === LENGTH + PREFIX.length && letters.startsWith(PREFIX) ? letters.slice(2) : letters;
  return code.length === LENGTH && [...code].every((letter) => ALPHABET.includes(letter)) ? toForm(code) : undefined;
}

function toForm(code: string): string {
  return `${PREFIX}-${code.slice(0, 4)}-${code.slice(4)}`;
}
