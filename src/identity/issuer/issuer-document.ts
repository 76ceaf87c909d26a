/**
 * The document in which an OpenID provider describes itself (OpenID Connect Discovery 1.0). Free of Node APIs, so the gate in
 * an edge runtime reads it too.
 */
import { isSameIssuer, withoutSlash } from './user-claims.ts';

/** The document names another issuer: an operator must correct the setting, and waiting does not help. */
export class WrongIssuerError extends Error {
  override readonly name = 'WrongIssuerError';
}

const LONGEST_NAME = 200;

export function documentUrlOf(issuer: string): string {
  return `${withoutSlash(issuer)}/.well-known/openid-configuration`;
}

export function isUrl(place: string): boolean {
  return /^https?:\/\//i.test(place);
}

/** The address of the provider's keys. Throws if the document is not one of this issuer. */
export function readDocument(text: string, issuer: string): string {
  const from = documentUrlOf(issuer);
  const document = toObject(text);
  if (document === undefined) throw new Error(`${from} is not an OpenID provider’s document: expected a JSON object`);
  if (!isSameIssuer(document.issuer, issuer)) {
    const named = JSON.stringify(document.issuer ?? null).slice(0, LONGEST_NAME);
    throw new WrongIssuerError(
      `AUTH_ISSUER=${issuer}: ${from} names the issuer ${named}; set AUTH_ISSUER to the issuer that tokens name as iss`,
    );
  }
  const { jwks_uri: keys } = document;
  if (typeof keys !== 'string' || !isUrl(keys)) throw new Error(`${from} names no jwks_uri`);
  // Anybody on the way could replace keys that come without TLS.
  if (issuer.startsWith('https:') && !keys.startsWith('https:')) throw new Error(`${from}: jwks_uri is not https`);
  return keys;
}

function toObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
