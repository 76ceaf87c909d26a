/**
 * The verification keys of a gate in an edge runtime. Web Crypto verifies asynchronously, so all tokens of a request are
 * verified first; the synchronous decision then uses the results.
 */
import { type CryptoKey, type JWTPayload, jwtVerify } from 'jose';
import { findCredential, GUEST_TYP, toGuest, toUser } from '../../identity/visitor.ts';
import { ENTRY_COOKIE, ENTRY_HEADER, ENTRY_TYP, toEntry } from '../../line/tokens/entry-pass.ts';
import { type IdentityCookie, readCookie } from '../../platform/http-server/cookies.ts';
import { DEVICE_COOKIE, toVwrPass, VWR_COOKIE, VWR_TYP } from '../../tier1/tokens/vwr-pass.ts';
import { CDN_HEADER } from '../decision/decide.ts';
import type { GateRequest, VerificationKeys } from '../decision/gate-request.ts';

export interface WebSecrets {
  /** The current secret first, then older ones still accepted. An empty list accepts no token of this kind. */
  entry: readonly string[];
  vwr: readonly string[];
  auth: readonly string[];
  guest: readonly string[];
  cdn: string | undefined;
  sessionCookie: IdentityCookie;
}

/** The same value as in src/tier1/tokens/devices.ts, which needs Node. */
const DEVICE_TYP = 'device+jwt';
const OTHERS_TYPES = [undefined, 'JWT', 'at+jwt'];
const LONGEST_TOKEN = 2048;
const TOLERANCE_SECONDS = 5;

interface Key {
  id: string;
  key: CryptoKey;
}

/** Verifies what one request presents. */
export type ReadVerificationKeys = (request: GateRequest, now: number) => Promise<VerificationKeys>;

export function createWebVerificationKeys(secrets: WebSecrets): ReadVerificationKeys {
  const rings = {
    entry: secrets.entry.map(importKey),
    vwr: secrets.vwr.map(importKey),
    auth: secrets.auth.map(importKey),
    guest: secrets.guest.map(importKey),
  };

  return async ({ headers }, now) => {
    const cookies = textOf(headers.cookie);
    const verify = (token: string | undefined, ring: Promise<Key>[], typ: string | undefined) =>
      token === undefined ? undefined : verifyToken(token, ring, typ, now);
    const credential = findCredential(
      { authorization: textOf(headers.authorization), cookie: cookies },
      { sessionCookie: secrets.sessionCookie, guestsWelcome: secrets.guest.length > 0 },
    );
    const isGuest = credential?.presented === 'guest';
    const [entry, vwr, device, caller, isCdn] = await Promise.all([
      verify(textOf(headers[ENTRY_HEADER]) ?? readCookie(cookies, ENTRY_COOKIE), rings.entry, ENTRY_TYP),
      verify(readCookie(cookies, VWR_COOKIE), rings.vwr, VWR_TYP),
      verify(readCookie(cookies, DEVICE_COOKIE), rings.vwr, DEVICE_TYP),
      verify(credential?.token, isGuest ? rings.guest : rings.auth, isGuest ? GUEST_TYP : undefined),
      isSameSecret(textOf(headers[CDN_HEADER]), secrets.cdn),
    ]);
    return {
      entry: () => (entry === undefined ? undefined : toEntry(entry)),
      vwr: () => (vwr === undefined ? undefined : toVwrPass(vwr)),
      caller: () => (caller === undefined ? undefined : (isGuest ? toGuest(caller) : toUser(caller))?.id),
      device: () => device?.sub,
      isVerifiedByCdn: () => isCdn,
    };
  };
}

type Genuine = JWTPayload & { sub: string };

async function verifyToken(
  token: string,
  ring: Promise<Key>[],
  typ: string | undefined,
  now: number,
): Promise<Genuine | undefined> {
  if (token.length > LONGEST_TOKEN) return undefined;
  const options = {
    algorithms: ['HS256'],
    requiredClaims: ['exp', 'sub'],
    clockTolerance: TOLERANCE_SECONDS,
    currentDate: new Date(now),
  };
  for (const { id, key } of await Promise.all(ring)) {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, key, options);
      const { typ: named, kid } = protectedHeader;
      const isKind = typ === undefined ? OTHERS_TYPES.includes(named) : named === typ && kid === id;
      if (isKind && typeof payload.sub === 'string') return payload as Genuine;
    } catch {
      // Signed by another key, or invalid.
    }
  }
  return undefined;
}

const encoder = new TextEncoder();

async function importKey(secret: string): Promise<Key> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['verify']);
  return { id: toBase64Url(await digest(`fairline key id:${secret}`)).slice(0, 8), key };
}

/** Compares in constant time. */
async function isSameSecret(given: string | undefined, secret: string | undefined): Promise<boolean> {
  if (given === undefined || secret === undefined) return false;
  const [left, right] = await Promise.all([digest(given), digest(secret)]);
  let difference = 0;
  for (const [index, byte] of left.entries()) difference |= byte ^ right[index]!;
  return difference === 0;
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text)));
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function textOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join('; ') : value;
}
