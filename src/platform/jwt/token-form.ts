/**
 * The form of a signed token, for all verifiers. Decoders of base64url are lenient: they skip white space and foreign
 * characters and ignore the unused bits of the last one, so one token could be written in many ways. Free of Node APIs.
 */

/** The digest has 256 bits and its 43 characters 258, so the last character is one of sixteen. */
const FORM = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;
const MAX_LENGTH = 2048;
/** The last second that a Date can express. JSON also has numbers like 1e400, which would mean never. */
const LAST_SECOND = 8.64e12;

export function isTokenForm(token: string): boolean {
  return token.length <= MAX_LENGTH && FORM.test(token);
}

/** RFC 7519: a NumericDate is a number. */
export function isNumericDate(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= LAST_SECOND;
}
