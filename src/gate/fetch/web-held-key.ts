/** Guests and devices by the key in their cookie, on Web Crypto: as in src/signing-keys/held-key.ts, which needs Node. */
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { isTokenForm } from '../../platform/jwt/token-form.ts';
import { digest, type Genuine, hasRightTimes, isInTime, toBase64Url } from './web-texts.ts';

export interface Holder {
  kind: 'guest' | 'device';
  typ: string;
  /** Before the id in `sub`. */
  prefix: string;
}

const ID_LENGTH = 16;

/** The claims of a cookie whose `key` hashes to its `sub`. Its signature is not checked, and proves nothing here. */
export async function verifyHeldKey(
  token: string,
  { kind, typ, prefix }: Holder,
  now: number,
): Promise<Genuine | undefined> {
  if (!isTokenForm(token)) return undefined;
  try {
    const header = decodeProtectedHeader(token);
    if (header.typ !== typ || header.alg !== 'HS256' || typeof header.kid !== 'string' || 'crit' in header)
      return undefined;
    const claims = decodeJwt(token);
    const { sub, key } = claims;
    if (typeof sub !== 'string' || typeof key !== 'string') return undefined;
    if (!hasRightTimes(claims) || !isInTime(claims, now)) return undefined;
    const id = toBase64Url(await digest(`fairline ${kind} ${key}`)).slice(0, ID_LENGTH);
    return sub === prefix + id ? (claims as Genuine) : undefined;
  } catch {
    return undefined;
  }
}
