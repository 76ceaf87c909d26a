/**
 * The form of a signed token, for all verifiers. Decoders of base64url are lenient: they skip white space and foreign
 * characters and ignore the unused bits of the last one, so one token could be written in many ways. Free of Node APIs.
 */

/** Of tokens that we sign. */
export const MAX_TOKEN_LENGTH = 2048;
/** Of tokens that identity providers sign for users, with many claims and long signatures. */
export const MAX_USER_TOKEN_LENGTH = 8192;

/** Not the whole form, which would take twice as long: every join checks a token. */
const PARTS = /^[\w-]+\.[\w-]+\.[\w-]{4,}$/;
/**
 * Characters of a signature come in fours; a last group of two has four unused bits and one of three has two, which must
 * be zero. A last group of one cannot be. By the length of the last group; undefined: any character.
 */
const LAST_CHARACTERS: readonly (string | undefined)[] = [undefined, '', 'AQgw', 'AEIMQUYcgkosw048'];
/** The last second that a Date can express. JSON also has numbers like 1e400, which would mean never. */
const LAST_SECOND = 8.64e12;

export function isTokenForm(token: string, maxLength = MAX_TOKEN_LENGTH): boolean {
  return token.length <= maxLength && PARTS.test(token) && hasNoUnusedBits(token);
}

function hasNoUnusedBits(token: string): boolean {
  const signatureLength = token.length - token.lastIndexOf('.') - 1;
  const last = LAST_CHARACTERS[signatureLength % 4];
  return last === undefined || last.includes(token[token.length - 1]!);
}

/** RFC 7519: a NumericDate is a number. */
export function isNumericDate(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= LAST_SECOND;
}
