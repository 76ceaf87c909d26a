/** Verifies users' tokens in an edge runtime by the same rules as src/identity/issuer/user-tokens.ts, which needs Node. */
import { type CryptoKey, decodeProtectedHeader, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { readUser } from '../../identity/issuer/user-claims.ts';
import type { Algorithm } from '../../platform/jwt/algorithms.ts';
import { isNumericDate, isTokenForm, MAX_USER_TOKEN_LENGTH } from '../../platform/jwt/token-form.ts';
import { toSecretBytes } from './web-texts.ts';
import { createWebUserKeys } from './web-user-keys.ts';

/** The users of your site, as the settings AUTH_* of the line describe them. */
export interface WebUsers {
  /** AUTH_ISSUER: an OpenID provider. */
  issuer?: string;
  /** AUTH_JWKS: the URL of a key set; absent: as the document of the issuer says. */
  jwks?: string;
  /** AUTH_AUDIENCE */
  audience?: string | readonly string[];
  /** AUTH_USER_CLAIM; absent: `sub`. */
  userClaim?: string;
  /** AUTH_REQUIRED_CLAIMS, for example `{ type: 'access' }`. */
  requiredClaims?: Readonly<Record<string, string>>;
  /** AUTH_ALGORITHMS; absent: RS256, ES256, EdDSA and HS256. */
  algorithms?: readonly Algorithm[];
  /** AUTH_CLOCK_TOLERANCE_SECONDS; absent: 5. */
  clockToleranceSeconds?: number;
}

export interface WebUserTokensOptions {
  users: WebUsers;
  /** AUTH_JWT_SECRET, the current one first. */
  secrets: readonly string[];
  fetch: typeof fetch;
  now: () => number;
}

/** `sub` is the user's id. */
export type VerifyWebUser = (token: string, now: number) => Promise<{ sub: string } | undefined>;

const DEFAULT_ALGORITHMS: readonly Algorithm[] = ['RS256', 'ES256', 'EdDSA', 'HS256'];
const DEFAULT_TOLERANCE_SECONDS = 5;
const TYPES = [undefined, 'JWT', 'at+jwt'];

/** Sessions of accounts of the line are verified elsewhere: these rules are not for them. */
export function createWebUserTokens({ users, secrets, fetch: send, now }: WebUserTokensOptions): VerifyWebUser {
  const { issuer, jwks, algorithms = DEFAULT_ALGORITHMS } = users;
  const rules = toRules(users);
  if (rules.audiences.length === 0 && rules.requiredClaims.length === 0 && (issuer ?? jwks) !== undefined) {
    throw new TypeError('users: set audience, so that tokens for other services are refused, or requiredClaims');
  }
  const publicKeys = (issuer ?? jwks) === undefined ? undefined : createWebUserKeys({ issuer, jwks, fetch: send, now });
  const secretKeys = secrets.map(toSecretBytes);

  return async (token, at) => {
    const algorithm = isTokenForm(token, MAX_USER_TOKEN_LENGTH) ? algorithmOf(token) : undefined;
    if (algorithm === undefined || !(algorithms as readonly string[]).includes(algorithm)) return undefined;
    const keys = algorithm.startsWith('HS') ? secretKeys : publicKeys === undefined ? [] : [publicKeys];
    const options = {
      algorithms: [algorithm],
      requiredClaims: ['exp'],
      clockTolerance: users.clockToleranceSeconds ?? DEFAULT_TOLERANCE_SECONDS,
      currentDate: new Date(at),
    };
    for (const key of keys) {
      const payload = await verifyWith(token, key, options);
      const user = payload && readUser(payload, rules);
      if (user !== undefined) return { sub: user.id };
    }
    return undefined;
  };
}

function toRules({ issuer, audience = [], userClaim = 'sub', requiredClaims = {} }: WebUsers) {
  return {
    issuer,
    audiences: typeof audience === 'string' ? [audience] : audience,
    userClaim,
    requiredClaims: Object.entries(requiredClaims).map(([name, value]) => ({ name, value })),
  };
}

/** undefined: not of a kind that other programs issue to users. */
function algorithmOf(token: string): string | undefined {
  try {
    const { alg, typ, crit } = decodeProtectedHeader(token);
    return TYPES.includes(typ) && crit === undefined ? alg : undefined;
  } catch {
    return undefined;
  }
}

type VerifyKey = Uint8Array | CryptoKey | JWTVerifyGetKey;

async function verifyWith(
  token: string,
  key: VerifyKey,
  options: Parameters<typeof jwtVerify>[2],
): Promise<JWTPayload | undefined> {
  try {
    const { payload } = await jwtVerify(token, key as JWTVerifyGetKey, options);
    const { exp, nbf, iat } = payload;
    return [exp, nbf, iat].every((time) => time === undefined || isNumericDate(time)) ? payload : undefined;
  } catch (error) {
    // A token that names no key may be signed with any of them.
    if (error instanceof errors.JWKSMultipleMatchingKeys) return verifyWithAny(token, error, options);
    // Signed by another key, invalid, or the keys cannot be read.
    return undefined;
  }
}

async function verifyWithAny(
  token: string,
  keys: AsyncIterable<CryptoKey>,
  options: Parameters<typeof jwtVerify>[2],
): Promise<JWTPayload | undefined> {
  for await (const key of keys) {
    const payload = await verifyWith(token, key, options);
    if (payload !== undefined) return payload;
  }
  return undefined;
}
