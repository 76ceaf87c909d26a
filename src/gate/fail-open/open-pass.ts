/**
 * The claims of a fail-open pass: a gate let its bearer pass to one event while the line could not be asked. Separate from
 * signing and free of Node modules, so that a gate in an edge runtime can read them.
 */
import { readCookie } from '../../platform/http-server/cookies.ts';
import type { Headers, VerificationKeys } from '../decision/gate-request.ts';

export const OPEN_PASS_COOKIE = 'fairline-open-pass';
export const OPEN_PASS_TYP = 'fail-open+jwt';

export interface OpenPass {
  eventId: string;
  passId: string;
  /** The caller at that time; the pass is for nobody else. undefined: the caller had no identity yet. */
  caller: string | undefined;
  /** Likewise the device, for a caller without an identity. */
  device: string | undefined;
  expiresAt: number;
}

/** Signs and verifies passes. Web Crypto does both asynchronously. */
export interface OpenPasses {
  issue(pass: OpenPass, now: number): string | Promise<string>;
  /** The content of a genuine pass that has not expired. */
  verify(token: string, now: number): OpenPass | undefined | Promise<OpenPass | undefined>;
}

/** Times in claims are in seconds. */
export function toOpenClaims({ eventId, passId, caller, device, expiresAt }: OpenPass, now: number) {
  const owner = { ...(caller === undefined ? {} : { uid: caller }), ...(device === undefined ? {} : { did: device }) };
  const [iat, exp] = [Math.floor(now / 1000), Math.floor(expiresAt / 1000)];
  return { sub: eventId, jti: passId, ...owner, iat, exp };
}

/** Reads verified claims; undefined if they are not those of a pass. */
export function toOpenPass(claims: Readonly<Record<string, unknown>>): OpenPass | undefined {
  const { sub, jti, uid, did, exp } = claims;
  const isText = (value: unknown): value is string | undefined => value === undefined || typeof value === 'string';
  if (typeof sub !== 'string' || typeof jti !== 'string' || typeof exp !== 'number') return undefined;
  if (!isText(uid) || !isText(did)) return undefined;
  return { eventId: sub, passId: jti, caller: uid, device: did, expiresAt: exp * 1000 };
}

type OwnerKeys = Pick<VerificationKeys, 'caller' | 'device'>;

/** The owner of a new pass: the caller, else the device. */
export function ownerOf(headers: Headers, keys: OwnerKeys): Pick<OpenPass, 'caller' | 'device'> {
  const caller = keys.caller(headers);
  return { caller, device: caller === undefined ? keys.device(headers) : undefined };
}

export function isOwner({ caller, device }: OpenPass, headers: Headers, keys: OwnerKeys): boolean {
  if (caller !== undefined) return keys.caller(headers) === caller;
  return device === undefined || keys.device(headers) === device;
}

export function readOpenPass({ cookie }: Headers): string | undefined {
  return readCookie(Array.isArray(cookie) ? cookie.join('; ') : cookie, OPEN_PASS_COOKIE);
}

/** The id of the visitor for the site. */
export function visitorOf({ caller, passId }: OpenPass): string {
  return caller ?? `fail-open:${passId}`;
}

/** A complete Set-Cookie value. */
export function toOpenCookie(token: string, { maxAgeSeconds, secure }: { maxAgeSeconds: number; secure: boolean }) {
  const flags = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return `${OPEN_PASS_COOKIE}=${token}; ${flags}`;
}
