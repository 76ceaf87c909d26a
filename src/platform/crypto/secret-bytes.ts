/**
 * Secrets are texts throughout the program. One whose bytes are not text (a key that another program made from random
 * bytes) is kept as `base64:` and its Base64; what needs the bytes takes them from here.
 */

export const BASE64_PREFIX = 'base64:';

export function secretBytes(secret: string): Buffer {
  return secret.startsWith(BASE64_PREFIX)
    ? Buffer.from(secret.slice(BASE64_PREFIX.length), 'base64')
    : Buffer.from(secret);
}

/** The secret that `base64:…` means: its text, or the same again if the bytes are no text. undefined: not Base64. */
export function fromBase64(value: string): string | undefined {
  const encoded = value.slice(BASE64_PREFIX.length);
  // Both alphabets, padded or not. Node would skip wrong characters.
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(encoded)) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  const text = bytes.toString();
  const isText = Buffer.from(text).equals(bytes) && !text.startsWith(BASE64_PREFIX);
  return isText ? text : `${BASE64_PREFIX}${bytes.toString('base64')}`;
}
