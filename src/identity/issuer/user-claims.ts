/**
 * What the token of a user must say, and which user it names. Free of signing and of Node APIs, so that a gate in an
 * edge runtime can use it.
 */
import { isAccountId, toUser, type Visitor } from '../visitor.ts';

export interface UserRules {
  /** undefined: tokens of any issuer whose key is accepted. */
  issuer: string | undefined;
  /** The token must be for one of them; none: it may be for anybody. */
  audiences: readonly string[];
  /** The claim that is the user's id. */
  userClaim: string;
  requiredClaims: readonly RequiredClaim[];
}

/** A claim with this value, or a list with this value in it. */
export interface RequiredClaim {
  name: string;
  value: string;
}

export type UserClaims = Readonly<Record<string, unknown>>;

/** RFC 8693, RFC 9068, and Microsoft's name for it: words separated by spaces. */
const SCOPE_CLAIMS = ['scope', 'scp'];

/** undefined: the token is not for us, or names nobody. Signature and times are checked elsewhere. */
export function readUser(claims: UserClaims, rules: UserRules): Visitor | undefined {
  const { issuer, audiences, userClaim, requiredClaims } = rules;
  if (issuer !== undefined && !isSameIssuer(claims.iss, issuer)) return undefined;
  if (audiences.length > 0 && !audiences.some((audience) => hasValue(claims.aud, audience))) return undefined;
  if (!requiredClaims.every((claim) => hasClaim(claims, claim))) return undefined;
  // Many providers let people enter any address, also that of somebody else, until it is confirmed.
  if (userClaim === 'email' && claims.email_verified !== true) return undefined;
  const id = toId(findClaim(claims, userClaim));
  // Some claims are chosen by the user. Nobody becomes the owner of one of our accounts that way.
  if (id === undefined || isAccountId(id)) return undefined;
  return toUser({ sub: id, jti: claims.jti, email_verified: claims.email_verified });
}

/** Providers and their documentation disagree on the slash at the end. */
export function isSameIssuer(named: unknown, expected: string): boolean {
  return typeof named === 'string' && withoutSlash(named) === withoutSlash(expected);
}

export function withoutSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url;
}

function hasClaim(claims: UserClaims, { name, value }: RequiredClaim): boolean {
  const claim = findClaim(claims, name);
  if (typeof claim === 'string' && SCOPE_CLAIMS.includes(name)) return claim.split(' ').includes(value);
  return hasValue(claim, value);
}

function hasValue(claim: unknown, value: string): boolean {
  return Array.isArray(claim) ? claim.some((item) => toText(item) === value) : toText(claim) === value;
}

/** `realm_access.roles` is a claim of that name or, if there is none, a member of `realm_access`. */
function findClaim(claims: UserClaims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as UserClaims)[part];
  }
  return value;
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

/** Databases number their users; beyond this, JSON numbers are rounded and two users would share an id. */
function toId(value: unknown): string | undefined {
  return typeof value === 'string' ? value : Number.isSafeInteger(value) ? String(value) : undefined;
}
