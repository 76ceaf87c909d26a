/** Guests: visitors with a cookie of ours and no account. The line knows them by its signature, a gate by the key in it. */
import type { Clock } from '../platform/clock.ts';
import { createTokenSigner, createTokenVerifier } from '../platform/jwt/tokens.ts';
import { createHeldKey, createHeldKeyVerifier } from '../signing-keys/held-key.ts';
import { GUEST_PREFIX, GUEST_TYP, toGuest, type Visitor } from './visitor.ts';

export const GUEST_DAYS = 30;

export interface NewGuest {
  visitor: Visitor;
  token: string;
}

export interface Guests {
  verify(token: string): Visitor | undefined;
  create(): NewGuest;
}

export interface GuestsOptions {
  /** The key to sign cookies with, then older ones that are still accepted. Without any, none can be created. */
  guestKeys: readonly string[];
  trustsHeldKeys?: boolean;
  clock: Clock;
}

export function createGuests({ guestKeys, trustsHeldKeys = false, clock }: GuestsOptions): Guests {
  const verifySigned = createTokenVerifier({ secrets: guestKeys, typ: GUEST_TYP, read: toGuest, clock });
  const [current] = guestKeys;
  const sign = current === undefined ? undefined : createTokenSigner({ secret: current, typ: GUEST_TYP });
  return {
    verify: trustsHeldKeys ? withHeldKeys(verifySigned, clock) : verifySigned,
    create() {
      if (sign === undefined) throw new Error('a process without GUEST_SECRET cannot create guests');
      const { key, id } = createHeldKey('guest');
      const sub = `${GUEST_PREFIX}${id}`;
      const iat = Math.floor(clock.now() / 1000);
      return { visitor: toGuest({ sub }), token: sign({ sub, key, iat, exp: iat + GUEST_DAYS * 86_400 }) };
    },
  };
}

function withHeldKeys(verifySigned: Guests['verify'], clock: Clock): Guests['verify'] {
  const verifyHeld = createHeldKeyVerifier({ kind: 'guest', typ: GUEST_TYP, prefix: GUEST_PREFIX, clock });
  return (token) => {
    const sub = verifyHeld(token);
    return sub === undefined ? verifySigned(token) : toGuest({ sub });
  };
}
