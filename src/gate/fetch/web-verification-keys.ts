/**
 * The verification keys of a gate in an edge runtime. Web Crypto verifies asynchronously, so all tokens of a request are
 * verified first; the synchronous decision then uses the results.
 */
import { type CryptoKey, decodeProtectedHeader, jwtVerify } from 'jose';
import { findCredential, GUEST_PREFIX, GUEST_TYP, toGuest, toUser } from '../../identity/visitor.ts';
import { ENTRY_COOKIE, ENTRY_HEADER, ENTRY_TYP, toEntry } from '../../line/tokens/entry-pass.ts';
import { type IdentityCookie, readCookie } from '../../platform/http-server/cookies.ts';
import { isTokenForm } from '../../platform/jwt/token-form.ts';
import { type TokenKind, type TokenKindName, tokenKinds } from '../../signing-keys/token-kinds.ts';
import { DEVICE_COOKIE, DEVICE_TYP, toVwrPass, VWR_COOKIE, VWR_TYP } from '../../tier1/tokens/vwr-pass.ts';
import type { GateRequest, VerificationKeys } from '../decision/gate-request.ts';
import { CDN_HEADER } from '../decision/pass-headers.ts';
import { PASS_COOKIE, PASS_TYP, toStaffPass } from '../decision/staff-pass.ts';
import { type Holder, verifyHeldKey } from './web-held-key.ts';
import type { WebPublicKeys } from './web-public-keys.ts';
import {
  digest,
  type Genuine,
  hasRightTimes,
  TOLERANCE_SECONDS,
  toBase64Url,
  toBytes,
  toSecretBytes,
} from './web-texts.ts';
import type { VerifyWebUser } from './web-user-tokens.ts';

export interface WebSecrets {
  /** The current secret first, then older ones still accepted. An empty list accepts no token of this kind. */
  entry: readonly string[];
  vwr: readonly string[];
  auth: readonly string[];
  guest: readonly string[];
  guestsWelcome: boolean;
  cdn: string | undefined;
  sessionCookie: IdentityCookie;
}

/** Where access entries look for secrets. */
export interface SecretNames {
  headers: readonly string[];
  cookies: readonly string[];
}

const NO_NAMES: SecretNames = { headers: [], cookies: [] };

const GUEST: Holder = { kind: 'guest', typ: GUEST_TYP, prefix: GUEST_PREFIX };
const DEVICE: Holder = { kind: 'device', typ: DEVICE_TYP, prefix: '' };
const OTHERS_TYPES = [undefined, 'JWT', 'at+jwt'];

interface Key {
  id: string;
  key: CryptoKey;
}

/** Verifies what one request presents. */
export type ReadVerificationKeys = (
  request: GateRequest,
  now: number,
  secrets?: SecretNames,
) => Promise<VerificationKeys>;

export interface WebVerificationOptions {
  secrets: WebSecrets;
  /** Verify entry tokens, vwr tokens and staff passes; secrets verify those of HS256 and everything else. */
  publicKeys: WebPublicKeys | undefined;
  /** For users of an identity provider, or with other rules than a shared secret. */
  verifyUser: VerifyWebUser | undefined;
}

export function createWebVerificationKeys({
  secrets,
  publicKeys,
  verifyUser,
}: WebVerificationOptions): ReadVerificationKeys {
  const rings = {
    entry: createRing('entryToken', secrets.entry),
    vwr: createRing('vwrToken', secrets.vwr),
    device: createRing('deviceCookie', secrets.vwr),
    auth: createRing('userSession', secrets.auth),
    guest: createRing('guestCookie', secrets.guest),
    staffPass: createRing('staffPass', secrets.entry),
  };

  const guests = { holder: GUEST, hasSecret: secrets.guest.length > 0 };
  const devices = { holder: DEVICE, hasSecret: secrets.vwr.length > 0 };

  return async ({ headers }, now, names = NO_NAMES) => {
    const cookies = textOf(headers.cookie);
    const verify = async (token: string | undefined, ring: Promise<Key[]>, typ: string | undefined) =>
      token === undefined ? undefined : verifyToken(token, ring, typ, now);
    const verifyOurs = async (token: string | undefined, ring: Promise<Key[]>, typ: string) =>
      token === undefined ? undefined : ((await publicKeys?.verify(token, typ, now)) ?? verify(token, ring, typ));
    // With the secret a signature is required; without it, the key in the cookie proves whose it is.
    const verifyHolder = async (token: string | undefined, kind: 'guest' | 'device') => {
      const { holder, hasSecret } = kind === 'guest' ? guests : devices;
      if (token === undefined) return undefined;
      return hasSecret ? verify(token, rings[kind], holder.typ) : verifyHeldKey(token, holder, now);
    };
    const credential = findCredential({ authorization: textOf(headers.authorization), cookie: cookies }, secrets);
    const isGuest = credential?.presented === 'guest';
    const [entry, vwr, device, caller, isCdn, staffPass, digests] = await Promise.all([
      verifyOurs(textOf(headers[ENTRY_HEADER]) ?? readCookie(cookies, ENTRY_COOKIE), rings.entry, ENTRY_TYP),
      verifyOurs(readCookie(cookies, VWR_COOKIE), rings.vwr, VWR_TYP),
      verifyHolder(readCookie(cookies, DEVICE_COOKIE), 'device'),
      isGuest
        ? verifyHolder(credential.token, 'guest')
        : credential && verifyCaller(credential.token, rings.auth, verifyUser, now),
      isSameSecret(textOf(headers[CDN_HEADER]), secrets.cdn),
      verifyOurs(readCookie(cookies, PASS_COOKIE), rings.staffPass, PASS_TYP),
      digestAll([
        ...names.headers.map((name) => headers[name]),
        ...names.cookies.map((name) => readCookie(cookies, name)),
      ]),
    ]);
    return {
      entry: () => (entry === undefined ? undefined : toEntry(entry)),
      vwr: () => (vwr === undefined ? undefined : toVwrPass(vwr)),
      caller: () => (caller === undefined ? undefined : (isGuest ? toGuest(caller) : toUser(caller))?.id),
      device: () => device?.sub,
      isVerifiedByCdn: () => isCdn,
      staffPass: () => (staffPass === undefined ? undefined : toStaffPass(staffPass)),
      digest: (text) => digests.get(text),
    };
  };
}

/** A session of an account of the line names its key; the rules for other users are not for it. */
async function verifyCaller(
  token: string,
  ring: Promise<Key[]>,
  verifyUser: VerifyWebUser | undefined,
  now: number,
): Promise<{ sub: string } | undefined> {
  if (verifyUser === undefined) return verifyToken(token, ring, undefined, now);
  return (await verifyToken(token, ring, 'JWT', now)) ?? verifyUser(token, now);
}

async function digestAll(texts: readonly (string | string[] | undefined)[]): Promise<ReadonlyMap<string, string>> {
  const given = texts.filter((text) => typeof text === 'string');
  return new Map(await Promise.all(given.map(async (text) => [text, await toDigest(text)] as const)));
}

/** As toDigest of src/platform/crypto/digest.ts, which needs Node. */
export async function toDigest(text: string): Promise<string> {
  return [...(await digest(text))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export async function verifyToken(
  token: string,
  ring: Promise<Key[]>,
  typ: string | undefined,
  now: number,
): Promise<Genuine | undefined> {
  if (!isTokenForm(token)) return undefined;
  const options = {
    algorithms: ['HS256'],
    requiredClaims: ['exp', 'sub'],
    clockTolerance: TOLERANCE_SECONDS,
    currentDate: new Date(now),
  };
  for (const { id, key } of await ring) {
    try {
      const { typ: named, kid } = decodeProtectedHeader(token);
      const isKind = typ === undefined ? OTHERS_TYPES.includes(named) : named === typ && kid === id;
      if (!isKind) continue;
      const { payload } = await jwtVerify(token, key, options);
      if (typeof payload.sub === 'string' && hasRightTimes(payload)) return payload as Genuine;
    } catch {
      // Signed by another key, or invalid.
    }
  }
  return undefined;
}

/** The same keys as createKeyRing of src/signing-keys/key-ring.ts, which needs Node. */
export async function createRing(kind: TokenKindName, secrets: readonly string[]): Promise<Key[]> {
  const { label, acceptsSecret }: TokenKind = tokenKinds[kind];
  const derived = label === undefined ? [] : await Promise.all(secrets.map((secret) => deriveKey(secret, label)));
  const own = label === undefined || acceptsSecret === true ? secrets : [];
  return Promise.all([...derived, ...own].map(importKey));
}

export async function deriveKey(secret: string, label: string): Promise<string> {
  const key = await importHmacKey(secret, 'sign');
  return toBase64Url(new Uint8Array(await crypto.subtle.sign('HMAC', key, toBytes(label))));
}

export function importHmacKey(secret: string, use: 'sign' | 'verify'): Promise<CryptoKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', toSecretBytes(secret), algorithm, false, [use]);
}

async function importKey(secret: string): Promise<Key> {
  const key = await importHmacKey(secret, 'verify');
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

function textOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join('; ') : value;
}
