/** Checks the identity provider: its document, its keys, and whether they come over TLS. */
import { isUrl } from '../identity/issuer/issuer-document.ts';
import { createIssuerSource } from '../identity/issuer/issuer-source.ts';
import type { Algorithm } from '../platform/jwt/algorithms.ts';
import { type Check, ok, problem, warning } from './check.ts';

interface Provider {
  issuer: string | undefined;
  jwks: string | undefined;
}

export interface CheckedUsers {
  /** undefined: there is no identity provider. */
  provider: Provider | undefined;
  rules: { algorithms: readonly Algorithm[] } | undefined;
}

export async function checkUsers({ provider, rules }: CheckedUsers): Promise<Check[]> {
  if (provider === undefined || rules === undefined) return [];
  return [...checkTransport(provider), await checkKeys(provider, rules.algorithms)];
}

function checkTransport({ issuer, jwks }: Provider): Check[] {
  const place = jwks ?? issuer!;
  if (!isUrl(place) || place.startsWith('https:') || isLocal(new URL(place).hostname)) return [];
  const advice = 'use https: anybody on the way could replace the keys and sign in as any user';
  return [warning(jwks === undefined ? 'AUTH_ISSUER' : 'AUTH_JWKS', 'http', advice)];
}

function isLocal(host: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(host);
}

async function checkKeys(provider: Provider, algorithms: readonly Algorithm[]): Promise<Check> {
  try {
    const keys = await createIssuerSource({ ...provider, algorithms, now: () => performance.now() })();
    const named = [...new Set(keys.map(({ algorithm }) => algorithm))].join(', ');
    return ok('identity provider', `${keys.length} ${keys.length === 1 ? 'key' : 'keys'} (${named})`);
  } catch (error) {
    const advice = 'check AUTH_ISSUER or AUTH_JWKS and that the provider is reachable from here';
    return problem('identity provider', (error as Error).message, advice);
  }
}
