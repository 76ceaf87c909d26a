/** Fail-open passes on Node. */
import type { Clock } from '../../platform/clock.ts';
import { createTokenSigner, createTokenVerifier } from '../../platform/jwt/tokens.ts';
import { OPEN_PASS_TYP, type OpenPass, type OpenPasses, toOpenClaims, toOpenPass } from './open-pass.ts';

const REMEMBERED = 10_000;

/** `keys`: the ring of `failOpenPass`. */
export function createOpenPasses(keys: readonly [string, ...string[]], clock: Clock): OpenPasses {
  const sign = createTokenSigner({ secret: keys[0], typ: OPEN_PASS_TYP });
  const options = { secrets: keys, typ: OPEN_PASS_TYP, read: toOpenPass, clock, remembered: REMEMBERED };
  const verify = createTokenVerifier<OpenPass>(options);
  return { issue: (pass, now) => sign(toOpenClaims(pass, now)), verify: (token) => verify(token) };
}
