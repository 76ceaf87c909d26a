/** Fail-open passes on Web Crypto: the same texts as in src/gate/fail-open/signed-passes.ts, which needs Node. */
import { SignJWT } from 'jose';
import { tokenKinds } from '../../signing-keys/token-kinds.ts';
import { OPEN_PASS_TYP, type OpenPasses, toOpenClaims, toOpenPass } from '../fail-open/open-pass.ts';
import { createRing, deriveKey, importHmacKey, verifyToken } from './web-verification-keys.ts';

/** `secrets`: of entry tokens, the current one first; or the service key. */
export function createWebOpenPasses(secrets: readonly [string, ...string[]]): OpenPasses {
  const ring = createRing('failOpenPass', secrets);
  const signingKey = deriveKey(secrets[0], tokenKinds.failOpenPass.label).then((key) => importHmacKey(key, 'sign'));
  return {
    async issue(pass, now) {
      const [[current], key] = await Promise.all([ring, signingKey]);
      const header = { alg: 'HS256', typ: OPEN_PASS_TYP, kid: current!.id };
      return new SignJWT(toOpenClaims(pass, now)).setProtectedHeader(header).sign(key);
    },
    async verify(token, now) {
      const claims = await verifyToken(token, ring, OPEN_PASS_TYP, now);
      return claims === undefined ? undefined : toOpenPass(claims);
    },
  };
}
