/** Device ids: tier 1 identifies a visitor by a signed cookie and by nothing else that a client sends. */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import { readCookie } from '../../platform/http-server/cookies.ts';
import { createTokenSigner, createTokenVerifier } from '../../platform/jwt/tokens.ts';
import { DEVICE_COOKIE } from './vwr-pass.ts';

export const DEVICE_DAYS = 180;

const DEVICE_TYP = 'device+jwt';

export interface Devices {
  /** The device of the request; undefined if it is new or its cookie is not valid. */
  find(cookies: string | undefined): string | undefined;
  create(): { device: string; token: string };
}

/** `keys`: the signing key, then older ones that are still accepted. */
export function createDevices(keys: readonly [string, ...string[]], clock: Clock): Devices {
  const sign = createTokenSigner({ secret: keys[0], typ: DEVICE_TYP });
  const verify = createTokenVerifier({ secrets: keys, typ: DEVICE_TYP, read: ({ sub }) => sub, clock });
  return {
    find(cookies) {
      const token = readCookie(cookies, DEVICE_COOKIE);
      return token === undefined ? undefined : verify(token);
    },
    create() {
      const device = randomBytes(12).toString('base64url');
      const iat = Math.floor(clock.now() / 1000);
      return { device, token: sign({ sub: device, iat, exp: iat + DEVICE_DAYS * 86_400 }) };
    },
  };
}
