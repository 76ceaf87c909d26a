/**
 * Verifies the tokens of users: of an identity provider (by its public keys), of the site itself (by a shared secret), and
 * of our own accounts, whose sessions we sign with the same secret and mark with its key id.
 */
import type { Clock } from '../../platform/clock.ts';
import { RecentMap } from '../../platform/collections/recent-map.ts';
import { secretBytes } from '../../platform/crypto/secret-bytes.ts';
import type { Algorithm } from '../../platform/jwt/algorithms.ts';
import type { KeySet } from '../../platform/jwt/key-set.ts';
import { isNumericDate, isTokenForm, MAX_USER_TOKEN_LENGTH } from '../../platform/jwt/token-form.ts';
import { createTokenVerifier, type TokenVerifier } from '../../platform/jwt/tokens.ts';
import { createLongSecretKey, createSecretKey, keyIdOf, type VerifyingKey } from '../../platform/jwt/verifying-key.ts';
import type { UserTokens } from '../identity.ts';
import { toUser, type Visitor } from '../visitor.ts';
import type { IssuerKeys } from './issuer-keys.ts';
import { readUser, type UserClaims, type UserRules } from './user-claims.ts';

export interface UserTokenRules extends UserRules {
  algorithms: readonly Algorithm[];
  toleranceSeconds: number;
}

export interface UserTokensOptions {
  /** The current secret first. */
  secrets: readonly string[];
  /** undefined: tokens are HS256, and `sub` is the user. */
  rules?: UserTokenRules | undefined;
  /** undefined: there is no identity provider. */
  issuerKeys?: IssuerKeys | undefined;
  clock: Clock;
}

/** Fewer than of our own tokens, which are shorter. */
const REMEMBERED = 50_000;
const REMEMBERED_HEADERS = 100;

export function createUserTokens({ secrets, rules, issuerKeys, clock }: UserTokensOptions): UserTokens {
  if (rules === undefined) return { verify: createTokenVerifier({ secrets, read: toUser, clock }) };
  const { toleranceSeconds } = rules;
  const createVerifier = (keys: KeySet) =>
    createTokenVerifier<Visitor>({
      ...{ keys, clock, toleranceSeconds, needsSubject: false },
      maxLength: MAX_USER_TOKEN_LENGTH,
      remembered: REMEMBERED,
      read: (claims) => readUser(claims, rules),
    });
  const verifiers: Record<Origin, TokenVerifier<Visitor>> = {
    account: createTokenVerifier({ secrets, typ: 'JWT', read: toUser, clock }),
    site: createVerifier({ keys: secrets.flatMap((secret) => toSecretKeys(secret, rules.algorithms)) }),
    provider: issuerKeys === undefined ? () => undefined : createVerifier(issuerKeys),
  };
  const readHeader = createHeaderReader(secrets, rules.algorithms);
  const verify: TokenVerifier<Visitor> = (token) => {
    const { origin } = readHeader(token);
    return origin === undefined ? undefined : verifiers[origin](token);
  };
  if (issuerKeys === undefined) return { verify };
  return {
    verify,
    prepare(token) {
      const { origin, keyId } = readHeader(token);
      if (origin !== 'provider' || keyId === undefined || issuerKeys.has(keyId)) return undefined;
      return couldBeValid(token, rules, clock.now() / 1000) ? issuerKeys.findMissing(keyId) : undefined;
    },
  };
}

function toSecretKeys(secret: string, algorithms: readonly Algorithm[]): VerifyingKey[] {
  return algorithms.flatMap((algorithm) => {
    if (algorithm === 'HS256') return createSecretKey(secret, undefined);
    return algorithm === 'HS384' || algorithm === 'HS512' ? createLongSecretKey(secretBytes(secret), algorithm) : [];
  });
}

type Origin = 'account' | 'site' | 'provider';

interface TokenHeader {
  /** undefined: nobody whose tokens we accept signs like this. */
  origin: Origin | undefined;
  keyId: string | undefined;
}

/** Says which keys a token is for. Whether it was signed by one of them is for its verifier to say. */
function createHeaderReader(secrets: readonly string[], algorithms: readonly string[]): (token: string) => TokenHeader {
  const ownIds = new Set(secrets.map(keyIdOf));
  // A program writes the same header into all of its tokens.
  const known = new RecentMap<TokenHeader>(REMEMBERED_HEADERS);
  return (token) => {
    const encoded = token.slice(0, Math.max(0, token.indexOf('.')));
    const header = known.get(encoded) ?? toHeader(decode(encoded), ownIds, algorithms);
    known.set(encoded, header);
    return header;
  };
}

function toHeader({ alg, kid }: UserClaims, ownIds: ReadonlySet<string>, algorithms: readonly string[]): TokenHeader {
  const keyId = typeof kid === 'string' ? kid : undefined;
  if (alg === 'HS256' && keyId !== undefined && ownIds.has(keyId)) return { origin: 'account', keyId };
  if (typeof alg !== 'string' || !algorithms.includes(alg)) return { origin: undefined, keyId };
  return { origin: alg.startsWith('HS') ? 'site' : 'provider', keyId };
}

/**
 * Whether a token would be accepted if its signature were right. Tokens of other issuers and expired ones are no reason to
 * read keys; strangers who know what we accept are limited by the key set.
 */
function couldBeValid(token: string, rules: UserTokenRules, nowSeconds: number): boolean {
  if (!isTokenForm(token, MAX_USER_TOKEN_LENGTH)) return false;
  const claims = decode(token.split('.')[1]!);
  const isOver = !isNumericDate(claims.exp) || claims.exp + rules.toleranceSeconds <= nowSeconds;
  return !isOver && readUser(claims, rules) !== undefined;
}

function decode(encoded: string): UserClaims {
  try {
    const value = JSON.parse(Buffer.from(encoded, 'base64url').toString()) as unknown;
    return typeof value === 'object' && value !== null ? (value as UserClaims) : {};
  } catch {
    return {};
  }
}
