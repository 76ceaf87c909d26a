/** Keys that verify signatures: a secret, or the public half of a key pair (a JWK, RFC 7517). */
import {
  createHash,
  createHmac,
  createPublicKey,
  hash,
  type JsonWebKey,
  type KeyObject,
  timingSafeEqual,
  verify,
} from 'node:crypto';
import { createMac, isSameMac } from '../crypto/hmac.ts';
import type { Algorithm } from './algorithms.ts';
import { MAX_USER_TOKEN_LENGTH } from './token-form.ts';

export interface VerifyingKey {
  /** undefined: tokens need not name it. */
  readonly id: string | undefined;
  readonly algorithm: Algorithm;
  /** The same for the same key with the same id, and for no other. Not a secret. */
  readonly fingerprint: string;
  /** Whether the text behind `signedLength` and its dot is the signature of what stands before. */
  verifies(token: string, signedLength: number): boolean;
}

/** A secret that signs HS256. `id` undefined: tokens of other programs, whose key ids are ignored. */
export function createSecretKey(secret: string | Uint8Array, id: string | undefined): VerifyingKey {
  const mac = createMac(secret, MAX_USER_TOKEN_LENGTH);
  return {
    id,
    algorithm: 'HS256',
    fingerprint: fingerprintOf('HS256', id, secret),
    verifies: (token, signedLength) => isSameMac(token.slice(signedLength + 1), mac(token, signedLength)),
  };
}

/** For secrets that sign with another hash than SHA-256. */
export function createLongSecretKey(secret: string | Uint8Array, algorithm: 'HS384' | 'HS512'): VerifyingKey {
  const digest = algorithm === 'HS384' ? 'sha384' : 'sha512';
  return {
    id: undefined,
    algorithm,
    fingerprint: fingerprintOf(algorithm, undefined, secret),
    verifies(token, signedLength) {
      const expected = createHmac(digest, secret).update(token.slice(0, signedLength)).digest();
      const given = signatureOf(token, signedLength);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}

const SMALLEST_RSA_BITS = 2048;

/** undefined: not a public key that signs with one of our algorithms. A key set may hold others, which are skipped. */
export function toVerifyingKey(jwk: JsonWebKey): VerifyingKey | undefined {
  const algorithm = algorithmOf(jwk);
  if (algorithm === undefined || (jwk.use !== undefined && jwk.use !== 'sig')) return undefined;
  const key = importKey(jwk);
  if (key === undefined) return undefined;
  if (algorithm === 'RS256' && (key.asymmetricKeyDetails?.modulusLength ?? 0) < SMALLEST_RSA_BITS) return undefined;
  return createPublicVerifyingKey(key, algorithm, typeof jwk.kid === 'string' ? jwk.kid : undefined);
}

function createPublicVerifyingKey(key: KeyObject, algorithm: Algorithm, id: string | undefined): VerifyingKey {
  const digest = algorithm === 'EdDSA' ? null : 'sha256';
  const input = algorithm === 'ES256' ? { key, dsaEncoding: 'ieee-p1363' as const } : key;
  return {
    id,
    algorithm,
    fingerprint: fingerprintOf(algorithm, id, key.export({ format: 'der', type: 'spki' })),
    verifies: (token, signedLength) =>
      verify(digest, Buffer.from(token.slice(0, signedLength)), input, signatureOf(token, signedLength)),
  };
}

function algorithmOf({ kty, crv, alg }: JsonWebKey): Algorithm | undefined {
  const algorithm = kty === 'RSA' ? 'RS256' : ALGORITHM_BY_CURVE[`${kty} ${crv}`];
  return alg === undefined || alg === algorithm ? algorithm : undefined;
}

const ALGORITHM_BY_CURVE: Record<string, Algorithm> = { 'OKP Ed25519': 'EdDSA', 'EC P-256': 'ES256' };

function importKey({ kty, crv, x, y, n, e }: JsonWebKey): KeyObject | undefined {
  try {
    // Only the public members, in case someone put a private key there.
    const members = Object.entries({ kty, crv, x, y, n, e }).filter(([, value]) => typeof value === 'string');
    return createPublicKey({ key: Object.fromEntries(members) as JsonWebKey, format: 'jwk' });
  } catch {
    return undefined;
  }
}

function signatureOf(token: string, signedLength: number): Buffer {
  return Buffer.from(token.slice(signedLength + 1), 'base64url');
}

function fingerprintOf(algorithm: Algorithm, id: string | undefined, key: string | Uint8Array): string {
  return `${algorithm} ${id} ${createHash('sha256').update('fairline fingerprint:').update(key).digest('base64url')}`;
}

/** The id of a secret is derived from it, so a rotation only needs the previous secret as a second one. */
export function keyIdOf(secret: string): string {
  return hash('sha256', `fairline key id:${secret}`, 'base64url').slice(0, 8);
}
