/**
 * Identifies the caller. A user carries a token signed by the host site; a guest carries a cookie signed by Fairline.
 * Nothing else counts, not even `X-User-Id`.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../platform/clock.ts';
import { type IdentityCookie, readCookie } from '../platform/http-server/cookies.ts';
import { createTokenVerifier } from '../platform/jwt/tokens.ts';
import { createGuests, type NewGuest } from './guests.ts';
import { findCredential, GUEST_COOKIE, type Presented, toUser, type Visitor } from './visitor.ts';

export type Identification =
  | { outcome: 'known'; visitor: Visitor }
  | { outcome: 'nobody' }
  /** A credential was presented but is invalid. Never treated as `nobody`: that would hide a forged token. */
  | { outcome: 'invalid'; presented: Presented };

export interface Identity {
  readonly guestsWelcome: boolean;
  identify(headers: IncomingHttpHeaders): Identification;
  /** The guest of the cookie, even if the request also carries a user's token. */
  findGuest(headers: IncomingHttpHeaders): Visitor | undefined;
  createGuest(): NewGuest;
}

export interface IdentityOptions {
  authSecrets: readonly string[];
  /** The key to sign guests' cookies with, then older ones that are still accepted. A gate may have none. */
  guestKeys: readonly string[];
  /** For a gate without the secret: knows guests by the key in their cookie (src/signing-keys/held-key.ts), without its signature. */
  trustsHeldKeys?: boolean;
  sessionCookie: IdentityCookie;
  guestsWelcome: boolean;
  /** Whether the user's session was ended before it expired. */
  hasEnded?: ((visitor: Visitor) => boolean) | undefined;
  clock: Clock;
}

export function createIdentity(options: IdentityOptions): Identity {
  const { authSecrets, sessionCookie, guestsWelcome, hasEnded, clock } = options;
  const verifyUser = createTokenVerifier({ secrets: authSecrets, read: toUser, clock });
  const guests = createGuests(options);

  return {
    guestsWelcome,
    identify(headers) {
      const credential = findCredential(headers, { sessionCookie, guestsWelcome });
      if (credential === undefined) return NOBODY;
      const { presented, token } = credential;
      const visitor = presented === 'guest' ? guests.verify(token) : verifyUser(token);
      const isOver = visitor !== undefined && hasEnded?.(visitor) === true;
      return toIdentification(isOver ? undefined : visitor, presented);
    },
    findGuest({ cookie }) {
      const token = readCookie(cookie, GUEST_COOKIE);
      return token === undefined ? undefined : guests.verify(token);
    },
    createGuest: () => guests.create(),
  };
}

const NOBODY: Identification = { outcome: 'nobody' };

function toIdentification(visitor: Visitor | undefined, presented: Presented): Identification {
  return visitor === undefined ? { outcome: 'invalid', presented } : { outcome: 'known', visitor };
}
