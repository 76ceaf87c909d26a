/** Device ids: tier 1 identifies a visitor by a signed cookie and by nothing else that a client sends. */
import type { Clock } from '../../platform/clock.ts';
import { readCookie } from '../../platform/http-server/cookies.ts';
import { createTokenSigner, createTokenVerifier } from '../../platform/jwt/tokens.ts';
import { createHeldKey, createHeldKeyVerifier } from '../../signing-keys/held-key.ts';
import { DEVICE_COOKIE, DEVICE_TYP } from './vwr-pass.ts';

export const DEVICE_DAYS = 180;

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
    find: createFind(verify),
    create() {
      const { key, id: device } = createHeldKey('device');
      const iat = Math.floor(clock.now() / 1000);
      return { device, token: sign({ sub: device, key, iat, exp: iat + DEVICE_DAYS * 86_400 }) };
    },
  };
}

export interface DeviceFinderOptions {
  keys: readonly string[];
  /** For a gate without the secret: knows a device by the key in its cookie (src/signing-keys/held-key.ts). */
  trustsHeldKeys: boolean;
  clock: Clock;
}

/** For a gate, which creates no devices. */
export function createDeviceFinder({ keys, trustsHeldKeys, clock }: DeviceFinderOptions): Devices['find'] {
  const verifySigned = createTokenVerifier({ secrets: keys, typ: DEVICE_TYP, read: ({ sub }) => sub, clock });
  if (!trustsHeldKeys) return createFind(verifySigned);
  const verifyHeld = createHeldKeyVerifier({ kind: 'device', typ: DEVICE_TYP, prefix: '', clock });
  return createFind((token) => verifyHeld(token) ?? verifySigned(token));
}

function createFind(verify: (token: string) => string | undefined): Devices['find'] {
  return (cookies) => {
    const token = readCookie(cookies, DEVICE_COOKIE);
    return token === undefined ? undefined : verify(token);
  };
}
