/**
 * The form of a signed token, for all verifiers. Decoders of base64url are lenient: they skip white space and foreign
 * characters and ignore the unused bits of the last one, so one token could be written in many ways. Free of Node APIs.
 */

/** Of tokens that we sign. */
export const MAX_TOKEN_LENGTH = 2048;
/** Of tokens that identity providers sign for users, with many claims and long signatures. */
export const MAX_USER_TOKEN_LENGTH = 8192;

/**
 * Characters of a signature come in fours; a last group of two has four unused bits and one of three has two, which must
 * be zero. A last group of one cannot be.
 */
const FORM =
  /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.(?:[A-Za-z0-9_-]{4})+(?:[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])?$/;
/** The last second that a Date can express. JSON also has numbers like 1e400, which would mean never. */
const LAST_SECOND = 8.64e12;

export function isTokenForm(token: string, maxLength = MAX_TOKEN_LENGTH): boolean {
  return token.length <= maxLength && FORM.test(token);
}

/** RFC 7519: a NumericDate is a number. */
export function isNumericDate(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= LAST_SECOND;
}
