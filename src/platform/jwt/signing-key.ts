/** Keys that sign tokens: a secret, or the private half of a key pair (a JWK, RFC 7517). */
import { createPrivateKey, type JsonWebKey, sign } from 'node:crypto';
import { createMac } from '../crypto/hmac.ts';
import type { Algorithm } from './algorithms.ts';
import { MAX_TOKEN_LENGTH } from './token-form.ts';
import { keyIdOf } from './verifying-key.ts';

export interface SigningKey {
  readonly id: string;
  readonly algorithm: Algorithm;
  /** The signature in base64url. */
  sign(text: string): string;
}

export function createSecretSigningKey(secret: string): SigningKey {
  const mac = createMac(secret, MAX_TOKEN_LENGTH);
  return { id: keyIdOf(secret), algorithm: 'HS256', sign: (text) => mac(text) };
}

/** Throws if the JWK is not a private key of that algorithm. */
export function createPrivateSigningKey(jwk: JsonWebKey & { kid: string; alg: 'EdDSA' | 'ES256' }): SigningKey {
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  const digest = jwk.alg === 'EdDSA' ? null : 'sha256';
  const input = jwk.alg === 'ES256' ? { key, dsaEncoding: 'ieee-p1363' as const } : key;
  return {
    id: jwk.kid,
    algorithm: jwk.alg,
    sign: (text) => sign(digest, Buffer.from(text), input).toString('base64url'),
  };
}
