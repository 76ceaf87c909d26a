/** What the verifiers on Web Crypto share. */
import type { JWTPayload } from 'jose';
import { isNumericDate } from '../../platform/jwt/token-form.ts';

/** Claims of a token that was verified. */
export type Genuine = JWTPayload & { sub: string };

export const TOLERANCE_SECONDS = 5;

const encoder = new TextEncoder();

export function toBytes(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/** As secretBytes of src/platform/crypto/secret-bytes.ts, which needs Node. */
export function toSecretBytes(secret: string): Uint8Array<ArrayBuffer> {
  if (!secret.startsWith('base64:')) return toBytes(secret);
  const encoded = secret.slice('base64:'.length).replaceAll('-', '+').replaceAll('_', '/');
  return Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
}

export async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', toBytes(text)));
}

export function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

export function hasRightTimes({ exp, nbf, iat }: JWTPayload): boolean {
  return [exp, nbf ?? 0, iat ?? 0].every(isNumericDate);
}

/** Of claims with right times. */
export function isInTime({ exp, nbf = 0 }: JWTPayload, now: number): boolean {
  return now / 1000 < exp! + TOLERANCE_SECONDS && nbf <= now / 1000 + TOLERANCE_SECONDS;
}
